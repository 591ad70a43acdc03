/** Messages between the tabs of one site: after a like, a join or a leave in one tab, the others show the new state. */

export type TabMessage = 'opened' | 'closed' | 'changed';

let channel: BroadcastChannel | undefined;
let handler: (message: TabMessage) => void = () => undefined;

/** A page in the back/forward cache receives no messages, so it is treated as changed when it is shown again. */
export function openTabChannel(): void {
  // Safari before 15.4 has no BroadcastChannel.
  if (!('BroadcastChannel' in window)) return;
  const open = () => {
    channel = new BroadcastChannel('spaza');
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => handler(data);
  };
  open();
  window.addEventListener('pagehide', () => channel?.close());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    open();
    handler('changed');
  });
}

/** As if another tab had changed something. */
export const refetchInThisTab = (): void => handler('changed');

export const notifyOtherTabs = (message: TabMessage): void => channel?.postMessage(message);

export function onTabMessage(newHandler: typeof handler): void {
  handler = newHandler;
}
