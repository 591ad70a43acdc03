/** Registers the service worker (sw.ts), and sends it the files of this page to cache. Sends what was tapped without a connection. */
import { embeddedReplies } from './api/embedded-replies';
import { sendWhenOnline } from './api/outbox';
import { wantsLessData } from './ui/device';
import { hasSavedFilms } from './ui/saved-list';

/** `loadNearbyPages` is not called with Save-Data. */
export async function keepForOffline(loadNearbyPages: () => Promise<unknown>[]): Promise<void> {
  sendWhenOnline();
  if (hasSavedFilms())
    import(/* webpackChunkName: "saved" */ './saved/contact').then(
      ({ keepContact }) => keepContact(),
      console.info,
    );
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    // First this page, because other pages take long on a slow line, which may end meanwhile.
    const worker = await cacheFiles('/shell');
    // Those of a preview have drafts in them.
    const isPreview = document.querySelector('.preview-banner') !== null;
    if (!isPreview) worker?.postMessage({ type: 'CACHE_REPLIES', replies: embeddedReplies() });
    if (wantsLessData()) return;
    await Promise.all(loadNearbyPages().map(page => page.catch(console.info)));
    await cacheFiles();
  } catch (error) {
    console.info('No service worker', error);
  }
}

/** Sends the service worker the files of this page, and other addresses, to cache. Returns the worker. */
export async function cacheFiles(...others: string[]): Promise<ServiceWorker | null> {
  const { active } = await navigator.serviceWorker.ready;
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'));
  // The shell has the stylesheet of every page but not this page's own.
  const styles = [
    ...document.querySelectorAll<HTMLElement>('style[data-href]:not([data-href^="/assets/styles."])'),
  ];
  // Scripts are in the browser's HTTP cache already. workbox-routing handles this message.
  const urlsToCache = [
    ...others,
    ...files.map(({ pathname }) => pathname),
    ...styles.map(({ dataset }) => dataset.href),
  ];
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } });
  return active;
}
