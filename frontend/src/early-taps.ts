/**
 * What was tapped before the page was alive. Its buttons are drawn by the server, seconds before React is there to hear them. Links and forms
 * need no help: the browser follows them by itself.
 */

const tapped = new Set<HTMLButtonElement>();
let alive = false;

/** Each button once: a second tap on one that does nothing is the same wish. */
function keep({ target }: Event): void {
  const button = target instanceof Element && target.closest('button');
  if (!button || button.type === 'submit' || button.disabled) return;
  tapped.add(button);
  button.dataset.tapped = '';
}

/** React came to life by this very tap, and has heard it. */
function forgetIfHeard({ target }: Event): void {
  const button = alive && target instanceof Element && target.closest('button');
  if (button) forget(button);
}

function forget(button: HTMLButtonElement): void {
  tapped.delete(button);
  delete button.dataset.tapped;
}

export function keepEarlyTaps(): void {
  document.addEventListener('click', keep, true);
  window.addEventListener('click', forgetIfHeard);
}

/** React has taken over what the server drew: from here on every tap is heard, and the kept ones follow. */
export function doEarlyTaps(): void {
  if (alive) return;
  alive = true;
  document.removeEventListener('click', keep, true);
  // After the event that is perhaps under way.
  setTimeout(() => {
    window.removeEventListener('click', forgetIfHeard);
    for (const button of [...tapped]) {
      forget(button);
      if (button.isConnected) button.click();
    }
  });
}
