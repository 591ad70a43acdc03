/** Shows a message in a toast. The toast library is loaded with the first one. */

export async function notify(message: string, kind: 'failed' | 'done' = 'failed'): Promise<void> {
  try {
    const { showToast } = await import(/* webpackChunkName: "toast" */ './Toast');
    showToast(message, kind);
  } catch (error) {
    console.info('Toast unavailable', error);
    window.alert(message);
  }
}
