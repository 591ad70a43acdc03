/** Fetches the code and data of a page on `pointerdown`, before the click opens it. */
import { wantsLessData } from './ui/device';

type Load = (path: string) => Promise<unknown>;

let load: Load = async () => undefined;

/** Called by routes.tsx: this module cannot import the route table, which imports everything. */
export function setPreloader(loader: Load): void {
  load = loader;
}

export const fetchPage: Load = path => load(path);

/** `address` is an address of this site. A touch may also begin a scroll, so nothing is fetched with Save-Data. */
export function preload(address: string): void {
  if (!wantsLessData())
    load(address.split(/[?#]/)[0] ?? '').catch(error => console.info('Preload failed', error));
}

/** Preloads the pages of touched links. */
export function preloadTouchedLinks(): void {
  document.addEventListener('pointerdown', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
    if (link && link.origin === location.origin) preload(link.pathname);
  });
}
