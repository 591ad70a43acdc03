/**
 * Records taps on server-rendered buttons before hydration, and replays them afterwards. On a slow connection hydration follows seconds
 * after the first paint. The browser handles links and forms itself.
 */

const tapped = new Set<HTMLButtonElement>();
let hydrated = false;

/**
 * Records each button once: visitors tap again when a button does not react. The browser sends forms by itself, except one whose field only
 * the plain page shows.
 */
function record(event: Event): void {
  const { target } = event;
  const button = target instanceof Element && target.closest('button');
  if (!button || button.disabled || !document.documentElement.classList.contains('running')) return;
  if (button.type === 'submit') {
    if (!('early' in button.dataset)) return;
    event.preventDefault();
  }
  tapped.add(button);
  button.dataset.tapped = '';
}

/** React hydrated during this tap and has already handled it. */
function dropIfHandled({ target }: Event): void {
  const button = hydrated && target instanceof Element && target.closest('button');
  if (button) drop(button);
}

function drop(button: HTMLButtonElement): void {
  tapped.delete(button);
  delete button.dataset.tapped;
}

export function recordEarlyTaps(): void {
  document.addEventListener('click', record, true);
  window.addEventListener('click', dropIfHandled);
}

/** Call after hydration: stops recording and clicks the recorded buttons. From then on the router opens links, not the browser. */
export function replayEarlyTaps(): void {
  if (hydrated) return;
  hydrated = true;
  // speculation-rules.json applies to no link then.
  document.documentElement.dataset.hydrated = '';
  document.removeEventListener('click', record, true);
  // Waits for an event that is currently dispatched.
  setTimeout(() => {
    window.removeEventListener('click', dropIfHandled);
    for (const button of [...tapped]) {
      drop(button);
      if (button.isConnected) button.click();
    }
  });
}
