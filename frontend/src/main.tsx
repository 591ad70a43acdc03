/** Starts the application: hydrates the page that the gateway served. */
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { Navigation } from './navigation';
import { openTabChannel } from './other-tabs';
import { preloadTouchedLinks } from './preload';
import { loadNearbyPages } from './routes';
import { whenIdle } from './ui/device';

openTabChannel();
preloadTouchedLinks();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const site = (
  <Navigation>
    <App />
  </Navigation>
);
// Without a server-rendered screen React renders from the start.
if (root.firstElementChild) afterPaint(() => hydrateRoot(root, site));
else createRoot(root).render(site);

/** Runs `act` after the first paint, which cached scripts would otherwise delay. A hidden page is never painted. */
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
