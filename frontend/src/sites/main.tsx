/**
 * Starts the application: hydrates the page that the gateway served, once everything that its first screen needs has arrived. Until then, and
 * if something is lost, the page is as the server drew it. A prerendered page (speculation-rules.json) starts when it is opened.
 */
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app';
import { Navigation } from './navigation';
import { openTabChannel } from './other-tabs';
import { keepPlainPage, openPlainPage } from './plain-page';
import { preloadTouchedLinks } from './preload';
import { loadNearbyPages, loadPage } from './routes';
import { whenIdle } from './ui/device';

// From here on this module handles failures, and not the page's inline script.
document.documentElement.dataset.started = '';

if ((document as Document & { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', start, { once: true });
else start();

declare const MESSAGES: unknown;

/** Before it, nothing is requested, counted, stored or played. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  const beside = document.querySelector('body > .plain');
  if (!root) throw new Error('No #root');
  try {
    if (typeof MESSAGES === 'undefined') throw new Error('No texts');
    await loadPage(window.location.pathname);
  } catch (error) {
    console.info('The application does not start', error);
    // The service worker's cached page has no screen: there the application says what is wrong.
    if (root.firstElementChild || beside) return keepPlainPage();
  }
  document.documentElement.className = 'running';
  // The gateway's forms set this cookie, so that plain pages contain the visitor's own data. Here scripts run.
  // biome-ignore lint/suspicious/noDocumentCookie: older phones do not have the Cookie Store API
  document.cookie = 'last_form=;path=/;max-age=0';
  openTabChannel();
  preloadTouchedLinks();
  const site = (
    <StrictMode>
      <Navigation>
        <App />
      </Navigation>
    </StrictMode>
  );
  const onUncaughtError = (error: unknown) => {
    console.info('The application failed', error);
    openPlainPage();
  };
  // Hydration as a transition is interrupted for taps. Without a server-rendered screen React renders from the start.
  if (root.firstElementChild)
    afterPaint(() => startTransition(() => void hydrateRoot(root, site, { onUncaughtError })));
  else {
    beside?.remove();
    createRoot(root, { onUncaughtError }).render(site);
  }

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
