/** Starts the application on the page the gateway served. */
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { Navigation } from './navigation';
import { joinOtherTabs } from './other-tabs';
import { preloadTouchedLinks } from './preload';
import { loadNearbyPages } from './routes';
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
// The server's markup is on the screen first; React hydrates it once the page's code has loaded.
if (root.firstElementChild) afterPaint(() => hydrateRoot(root, site));
else createRoot(root).render(site);

/** Scripts from the browser's cache would otherwise run before the first paint. A hidden page is never painted. */
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
      ({ keepForOffline }) => keepForOffline(loadNearbyPages),
      error => console.info('Not ready for offline', error),
    );
  }),
);
