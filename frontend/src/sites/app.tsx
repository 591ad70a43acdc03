/** The application: the routes, and the effects of each navigation. */
// The shared stylesheets come first: those of the components override them.
import './ui/tokens.css';
import './ui/faces.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/grid.css';
import './ui/plain.css';

import { useEffect, useMemo, useRef } from 'react';
import { Route, Routes, useLocation, useNavigationType } from 'react-router';
import { labelToasts } from '../shared/ui/notify';
import { replayEarlyTaps } from './early-taps';
import { t } from './messages';
import { notifyOtherTabs } from './other-tabs';
import { routes } from './routes';
import { ErrorBoundary } from './ui/ErrorBoundary';
import { focusHeading } from './ui/heading-focus';
import { rememberVisitor } from './visitor';

labelToasts(() => ({ region: t('notifications'), close: t('close') }));

/**
 * The caller provides the router: the browser's in main.tsx, one in memory in tests.
 *
 * There is no Suspense around the pages, so React keeps the current screen (at first, the server's markup) until the page's code has
 * loaded. With Suspense React would render an empty page first, and delay the next one by 300 ms.
 */
export function App() {
  const table = useMemo(() => routes(), []);
  return (
    <>
      <NavigationEffects />
      <ErrorBoundary at={useLocation().key}>
        <Routes>
          {table.map(({ path, element }) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Routes>
      </ErrorBoundary>
    </>
  );
}

/** The return from the network has opened a session, as the notice that the gateway wrote says: other tabs do not know. */
function tellOtherTabs(): void {
  if (document.querySelector('.return-news[data-opened]')) notifyOtherTabs('opened');
}

/** On each navigation: removes the gateway's notice, stores the visitor of the address, scrolls to the top and focuses the heading. */
function NavigationEffects() {
  const { pathname, search } = useLocation();
  const arrival = useNavigationType();
  useEffect(() => rememberVisitor(search), [search]);
  useEffect(replayEarlyTaps, []);
  useEffect(tellOtherTabs, []);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector('.return-news')?.remove();
    // A list that the visitor returns to restores its own focus.
    if (arrival !== 'POP' || !document.querySelector('main :focus')) focusHeading();
    if (arrival !== 'POP') window.scrollTo(0, 0);
  }, [pathname, arrival]);
  return null;
}
