/**
 * The service worker (Workbox): the site opens offline, or when the network does not respond, with recently seen replies.
 * It caches no videos (saved/ does), no sessions, no replies about a visitor and nothing of a preview.
 */
import './polyfills';
import { clientsClaim, type RouteMatchCallbackOptions } from 'workbox-core';
import { CacheExpiration, ExpirationPlugin } from 'workbox-expiration';
import * as navigationPreload from 'workbox-navigation-preload';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies';

const SHELL = 'shell-6';
const FILES = 'files-4';
const PICTURES = 'pictures-4';
const REPLIES = 'replies-4';
/** What the pages of saved films show (saved/films.ts): it stays until the film is removed. */
const SAVED = 'saved-1';

/** Where the gateway sends the page of every address without its screen, its replies and a visitor's data. */
const SHELL_ADDRESS = '/shell';

/** The cache responds if the network has not responded by then. */
const networkTimeoutSeconds = 3;

const MONTH_S = 30 * 24 * 60 * 60;
/** Cheap phones have little storage. The least recently used entries are deleted first. */
const LIMITS = {
  // File names contain a hash, so files never become stale.
  [FILES]: { maxEntries: 60 },
  [PICTURES]: { maxEntries: 60, maxAgeSeconds: MONTH_S },
  [REPLIES]: { maxEntries: 40, maxAgeSeconds: MONTH_S },
};
/** A page or a reply that shows a draft (crates/gateway/src/previews.rs). */
const isPreview = ({ headers }: Response): boolean => headers.get('x-robots-tag') === 'noindex';
const cacheWillUpdate = async ({ response }: { response: Response }) =>
  response.status === 200 && !isPreview(response) ? response : null;
const handlerDidError = ({ request }: { request: Request }) =>
  caches.match(request, { cacheName: SAVED, ignoreVary: true });
/** Replies vary by headers that Firefox shows a service worker on some requests for the same address and not on others. */
const matchOptions = { ignoreVary: true };
const cache = (cacheName: keyof typeof LIMITS) => ({
  cacheName,
  matchOptions,
  plugins: [
    { cacheWillUpdate, handlerDidError },
    new ExpirationPlugin({ ...LIMITS[cacheName], purgeOnQuotaError: true }),
  ],
});

/** Catalogue calls, whose replies are the same for every visitor. `mine` and the watchlist are a visitor's own. */
const CATALOGUE = /^\/api\/(madfunny|diski|meme|tt)\/(?!mine|getTTWatchlist)/;
/** Paths that are not pages of the application. */
const NOT_A_PAGE = /^\/((api|media|img|assets|icons)\/|preview(\/|$))/;

/** Excludes range requests: the cache stores whole responses. */
const matches =
  (addresses: RegExp) =>
  ({ request, sameOrigin, url }: RouteMatchCallbackOptions) =>
    sameOrigin && addresses.test(url.pathname) && !request.headers.has('range');

/** TypeScript's types of pages have no events of service workers. */
type ExtendableMessage = MessageEvent & { waitUntil: (work: Promise<void>) => void };

const repliesExpiration = new CacheExpiration(REPLIES, LIMITS[REPLIES]);

/** Caches the embedded replies of a page, which offline.ts sends, under their own addresses. */
async function cacheReplies(embedded: Record<string, unknown>): Promise<void> {
  const replies = await caches.open(REPLIES);
  for (const [address, body] of Object.entries(embedded)) {
    const json = { headers: { 'content-type': 'application/json' } };
    await replies.put(address, new Response(JSON.stringify(body), json));
    await repliesExpiration.updateTimestamp(new URL(address, location.href).href);
  }
  await repliesExpiration.expireEntries();
}
self.addEventListener('message', event => {
  const { data, waitUntil } = event as ExtendableMessage;
  if (data?.type === 'CACHE_REPLIES') waitUntil.call(event, cacheReplies(data.replies));
});

/** Pages are not cached: without a response, the shell is shown, and requests what it needs. */
const page = {
  cacheName: SHELL,
  matchOptions,
  plugins: [
    {
      cacheKeyWillBeUsed: async () => SHELL_ADDRESS,
      cacheWillUpdate: async () => null,
      // Firefox resolves a preload that failed, with an error.
      handlerWillRespond: async ({ response }: { response: Response }) =>
        (response.type === 'error' && (await caches.match(SHELL_ADDRESS, matchOptions))) || response,
    },
  ],
};

const isNavigation = ({ request, sameOrigin }: RouteMatchCallbackOptions) =>
  sameOrigin && request.mode === 'navigate';
navigationPreload.enable();
// The browser has requested it already, and would request it again: links such as the one by the SIM's number count once.
registerRoute(options => isNavigation(options) && NOT_A_PAGE.test(options.url.pathname), new NetworkOnly());
registerRoute(isNavigation, new NetworkFirst({ ...page, networkTimeoutSeconds }));
// offline.ts requests it with each page: its files are those of the newest release.
registerRoute(
  matches(/^\/shell$/),
  new NetworkFirst({ cacheName: SHELL, matchOptions, plugins: [{ cacheWillUpdate }] }),
);
registerRoute(matches(/^\/(assets|icons)\//), new CacheFirst(cache(FILES)));
registerRoute(matches(/^\/img\//), new CacheFirst(cache(PICTURES)));
registerRoute(matches(CATALOGUE), new NetworkFirst({ ...cache(REPLIES), networkTimeoutSeconds }));

/** A new release takes control at once, and deletes the caches of older releases. */
(self as unknown as { skipWaiting: () => Promise<void> }).skipWaiting();
clientsClaim();
self.addEventListener('activate', event => {
  const deleteOld = async () => {
    for (const name of await caches.keys())
      if (name !== SHELL && name !== SAVED && !(name in LIMITS)) await caches.delete(name);
  };
  (event as ExtendableMessage).waitUntil(deleteOld());
});
