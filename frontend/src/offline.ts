/** Starts the service worker (sw.ts), and tells it what this page is made of. */

import { type BrandKind, brand } from './brand';
import { wantsLessData } from './ui/device';

declare const __webpack_get_script_filename__: (chunk: string) => string;

/** Pages one tap away, a few KB together: leaving and reading the terms must work without a connection, too. */
const PAGES: Record<BrandKind, string[]> = {
  comedy: ['artist', 'search-artists', 'leave', 'legal'],
  diski: ['artist', 'search-artists', 'leave', 'legal'],
  meme: ['meme-category', 'search-memes', 'leave', 'legal'],
  tt: ['tt-category', 'tt-video', 'search-tt', 'leave', 'legal'],
};

/** Pages that fetch need these, too: whoever has only seen the join form has not got them. */
const WITH_THEM = 'queries';

export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const files = performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'));
    const pages = wantsLessData()
      ? []
      : [WITH_THEM, ...PAGES[brand().kind]].map(chunk => `/${__webpack_get_script_filename__(chunk)}`);
    active?.postMessage(['/', ...files.map(({ pathname }) => pathname), ...pages]);
  } catch (error) {
    console.info('No service worker', error);
  }
}
