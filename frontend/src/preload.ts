/** Fetches the code and the data of a page that a visitor is about to open, while the finger is still down. */
import { wantsLessData } from './ui/device';

type Preload = (path: string) => void;

let fetchPage: Preload = () => undefined;

/** The route table says how; nothing else may import it. */
export function preloadBy(fetching: Preload): void {
  fetchPage = fetching;
}

/** `address`: of this site. A finger that goes down may also begin to scroll, so a phone that saves data fetches nothing by it. */
export function preload(address: string): void {
  if (!wantsLessData()) fetchPage(address.split(/[?#]/)[0] ?? '');
}

/** Links anywhere on the page. */
export function preloadTouchedLinks(): void {
  document.addEventListener('pointerdown', ({ target }) => {
    const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
    if (link && link.origin === location.origin) preload(link.pathname);
  });
}
