/**
 * The service worker: keeps the site's frame, so that it opens without a connection, and what was seen lately.
 * It never touches videos, sessions or anything a visitor sends.
 */

import { frameOf, isBrandPage, repliesOf } from './kept-page';

/** The part of the worker's world that is used here; the DOM's types do not know it. */
type Extendable = Event & { waitUntil: (work: Promise<unknown>) => void };
type Fetching = Extendable & { request: Request; respondWith: (reply: Promise<Response>) => void };
type Worker = {
  addEventListener(type: 'install' | 'activate', act: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', act: (event: Fetching) => void): void;
  addEventListener(type: 'message', act: (event: Extendable & { data: string[] }) => void): void;
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
};
const worker = self as unknown as Worker;

const FRAME = 'frame-3';
const PICTURES = 'pictures-1';
const REPLIES = 'replies-1';
/** Cheap phones have little room. */
const MOST: Record<string, number> = { [FRAME]: 60, [PICTURES]: 60, [REPLIES]: 40 };
/** The frame of every address. What the gateway writes into a page for its own address alone is taken out: see kept-page.ts. */
const PAGE = '/';

/** Catalogue calls, the same for everyone. `mine` and the watchlist belong to one visitor and are not kept. */
const CATALOGUE = /^\/api\/(madfunny|diski|meme|tt)\/(?!mine|getTTWatchlist)/;

worker.addEventListener('install', event => event.waitUntil(worker.skipWaiting()));

worker.addEventListener('activate', event =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (!(name in MOST)) await caches.delete(name);
      await worker.clients.claim();
    })(),
  ),
);

/** The page tells what it is made of: those files lie in the browser's own cache already and cost nothing. */
worker.addEventListener('message', event =>
  event.waitUntil(
    (async () => {
      const frame = await caches.open(FRAME);
      for (const address of event.data) {
        if (await frame.match(address)) continue;
        const kept = address === PAGE ? fetch(PAGE).then(keepPage) : frame.add(address);
        await kept.catch(() => undefined);
      }
      await trim(FRAME);
    })(),
  ),
);

worker.addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || request.headers.has('range')) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (/^\/(assets|icons)\//.test(pathname)) event.respondWith(keptFirst(event, FRAME));
  else if (pathname.startsWith('/img/')) event.respondWith(keptFirst(event, PICTURES));
  else if (CATALOGUE.test(pathname)) event.respondWith(freshFirst(event));
});

/** A page as the network has it; without a network, the frame of the last visit. */
async function page(event: Fetching): Promise<Response> {
  try {
    const reply = await fetch(event.request);
    event.waitUntil(keepPage(reply.clone()));
    return reply;
  } catch (error) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw error;
  }
}

/** As the frame of every address; and the replies that came with it as if the page had asked for them. */
async function keepPage(reply: Response): Promise<void> {
  if (!reply.ok || reply.redirected || !reply.headers.get('content-type')?.includes('text/html')) return;
  const page = await reply.text();
  if (!isBrandPage(page)) return;
  const headers = new Headers(reply.headers);
  // The files of one address, and what is no longer true of the text.
  for (const name of ['link', 'content-encoding', 'content-length']) headers.delete(name);
  await keep(FRAME, PAGE, new Response(frameOf(page), { headers }));
  for (const [address, body] of repliesOf(page)) {
    const json = { headers: { 'content-type': 'application/json' } };
    await keep(REPLIES, address, new Response(JSON.stringify(body), json));
  }
}

/** What never changes under its name is asked for once. */
async function keptFirst(event: Fetching, cache: string): Promise<Response> {
  const kept = await (await caches.open(cache)).match(event.request);
  if (kept) return kept;
  const reply = await fetch(event.request);
  if (reply.ok) event.waitUntil(keep(cache, event.request, reply.clone()));
  return reply;
}

async function freshFirst(event: Fetching): Promise<Response> {
  try {
    const reply = await fetch(event.request);
    if (reply.ok) event.waitUntil(keep(REPLIES, event.request, reply.clone()));
    return reply;
  } catch (error) {
    const kept = await caches.match(event.request);
    if (kept) return kept;
    throw error;
  }
}

async function keep(name: string, key: Request | string, reply: Response): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(key, reply);
  await trim(name);
}

/** Drops the oldest: a cache lists its entries in the order they came. */
async function trim(name: string): Promise<void> {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - (MOST[name] ?? 0)))) await cache.delete(key);
}
