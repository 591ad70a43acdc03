/** Starts the application on the page the gateway served. */
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { Navigation } from './navigation';
import { joinOtherTabs } from './other-tabs';
import { preloadTouchedLinks } from './preload';
import { whenIdle } from './ui/device';

joinOtherTabs();
preloadTouchedLinks();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const site = (
  <Navigation>
    <App />
  </Navigation>
);
// What the server drew is on the screen first, stays as it is, and comes to life when the page's code is there.
if (root.firstElementChild) afterPaint(() => hydrateRoot(root, site));
else createRoot(root).render(site);

/** Scripts that lie in the browser's cache would otherwise keep the phone busy before anything shows. A hidden page is never painted. */
function afterPaint(act: () => void): void {
  if (document.visibilityState === 'hidden') act();
  else requestAnimationFrame(() => setTimeout(act));
}

window.addEventListener('load', () =>
  whenIdle(() => {
    import(/* webpackChunkName: "vitals" */ './vitals').then(
      ({ reportVitals }) => reportVitals(),
      error => console.info('No page metrics', error),
    );
    import(/* webpackChunkName: "offline" */ './offline').then(
      ({ keepForOffline }) => keepForOffline(),
      error => console.info('Not ready for offline', error),
    );
  }),
);
