/** Starts the service worker (sw.ts), and tells it what this page is made of. */

export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const files = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'));
    active?.postMessage(['/', ...files.map(({ pathname }) => pathname)]);
  } catch (error) {
    console.info('No service worker', error);
  }
}
