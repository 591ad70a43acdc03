/** Shows a message in a toast. The toast library is loaded with the first one. */
/** What screen readers call the toasts' region and the button that closes one. */
export type ToastLabels = { region: string; close: string };

let labels = (): ToastLabels => ({ region: '', close: '' });

/** Each program has texts of its own. */
export function labelToasts(own: () => ToastLabels): void {
  labels = own;
}

export async function notify(message: string, kind: 'failed' | 'done' = 'failed'): Promise<void> {
  try {
    const { showToast } = await import(/* webpackChunkName: "toast" */ './Toast');
    showToast(message, kind, labels());
  } catch (error) {
    console.info('Toast unavailable', error);
    window.alert(message);
  }
}
