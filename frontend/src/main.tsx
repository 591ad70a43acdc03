/** Starts the application: hydrates the page that the gateway served. A prerendered page (speculation-rules.json) starts when it is opened. */
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { Navigation } from './navigation';
import { openTabChannel } from './other-tabs';
import { preloadTouchedLinks } from './preload';
import { loadNearbyPages } from './routes';
import { whenIdle } from './ui/device';

if ((document as Document & { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', start, { once: true });
else start();

/** Before it, nothing is requested, counted, stored or played. */
function start(): void {
  openTabChannel();
  preloadTouchedLinks();

  const root = document.getElementById('root');
  if (!root) throw new Error('No #root');
  const site = (
    <Navigation>
      <App />
    </Navigation>
  );
  // Hydration as a transition is interrupted for taps. Without a server-rendered screen React renders from the start.
  if (root.firstElementChild) afterPaint(() => startTransition(() => void hydrateRoot(root, site)));
  else createRoot(root).render(site);

  // A prerendered page has already loaded.
  if (document.readyState === 'complete') loadLater();
  else window.addEventListener('load', loadLater);
}

/** Runs `act` after the first paint, which cached scripts would otherwise delay. A hidden page is never painted. */
function afterPaint(act: () => void): void {
  if (document.visibilityState === 'hidden') act();
  else requestAnimationFrame(() => setTimeout(act));
}

function loadLater(): void {
  whenIdle(() => {
    import(/* webpackChunkName: "vitals" */ './vitals').then(
      ({ reportVitals }) => reportVitals(),
      console.info,
    );
    import(/* webpackChunkName: "offline" */ './offline').then(
      ({ keepForOffline }) => keepForOffline(loadNearbyPages),
      console.info,
    );
  });
}
