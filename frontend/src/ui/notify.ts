/** Tells the visitor about a failure in a toast. The toast library is fetched with the first one. */

export async function notify(message: string): Promise<void> {
  try {
    const { showError } = await import(/* webpackChunkName: "toast" */ './Toast');
    showError(message);
  } catch (error) {
    console.info('Toast unavailable', error);
    window.alert(message);
  }
}
