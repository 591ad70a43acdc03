/** The tabs of one site tell each other what a visitor did, so that all show the same: a like, a join, a leave. */

export type News = 'opened' | 'closed' | 'changed';

let channel: BroadcastChannel | undefined;
let act: (news: News) => void = () => undefined;

/** A page that the browser keeps for the way back hears nothing, and asks when it is shown again. */
export function joinOtherTabs(): void {
  // Safari before 15.4 has none.
  if (!('BroadcastChannel' in window)) return;
  const open = () => {
    channel = new BroadcastChannel('spaza');
    channel.onmessage = ({ data }: MessageEvent<News>) => act(data);
  };
  open();
  window.addEventListener('pagehide', () => channel?.close());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    open();
    act('changed');
  });
}

export const tellOtherTabs = (news: News): void => channel?.postMessage(news);

export function hearOtherTabs(heard: typeof act): void {
  act = heard;
}
