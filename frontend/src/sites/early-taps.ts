/** Replays the taps on server-rendered buttons that the page's inline script has recorded before hydration (expect-scripts.js). */

type Recorder = ((event: Event) => void) & { buttons: HTMLButtonElement[] };

const recorder = () => (document.documentElement as HTMLElement & { record?: Recorder }).record;

function drop(buttons: HTMLButtonElement[], button: HTMLButtonElement): void {
  buttons.splice(buttons.indexOf(button), 1);
  delete button.dataset.tapped;
}

/** Call after hydration: stops recording and clicks the recorded buttons. From then on the router opens links, not the browser. */
export function replayEarlyTaps(): void {
  const { hydrated } = document.documentElement.dataset;
  // speculation-rules.json applies to no link then.
  document.documentElement.dataset.hydrated = '';
  const record = recorder();
  if (!record || hydrated !== undefined) return;
  const { buttons } = record;
  document.removeEventListener('click', record, true);
  // React hydrated during this tap and has already handled it.
  const dropIfHandled = ({ target }: Event) => {
    const button = target instanceof Element && target.closest('button');
    if (button && buttons.includes(button)) drop(buttons, button);
  };
  window.addEventListener('click', dropIfHandled);
  // Waits for an event that is currently dispatched.
  setTimeout(() => {
    window.removeEventListener('click', dropIfHandled);
    for (const button of [...buttons]) {
      drop(buttons, button);
      if (button.isConnected) button.click();
    }
  });
}
