/** Shows a message in a toast. The toast library is loaded with the first one. */
/** What screen readers call the toasts' region and the button that closes one. */
export type ToastLabels = { region: string; close: string };

let labels = (): ToastLabels => ({ region: '', close: '' });

/** Each program has texts of its own. */
export function labelToasts(own: () => ToastLabels): void {
  labels = own;
}

export const loadToasts = () => import(/* webpackChunkName: "toast" */ './Toast');

export async function notify(message: string, kind: 'failed' | 'done' = 'failed'): Promise<void> {
  try {
    const { showToast } = await loadToasts();
    showToast(message, kind, labels());
  } catch (error) {
    console.info('Toast unavailable', error);
    draw(message);
  }
}

/** As long as a toast, without its files: a connection is lost when a message matters. */
function draw(message: string): void {
  const note = document.body.appendChild(document.createElement('p'));
  note.setAttribute('role', 'alert');
  note.textContent = message;
  Object.assign(note.style, {
    position: 'fixed',
    top: 'var(--toast-top, 16px)',
    right: '16px',
    zIndex: '9999',
    maxWidth: '320px',
    padding: '14px',
    background: '#c62828',
    color: '#ffffff',
  });
  setTimeout(() => note.remove(), 5000);
}
