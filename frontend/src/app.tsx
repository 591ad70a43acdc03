/** What every page shares: the routes, and what happens on each navigation. */
// What all pages look like comes first: the stylesheets beside the parts build on it.
import './ui/tokens.css';
import './ui/faces.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/grid.css';

import { useEffect, useMemo, useRef } from 'react';
import { Route, Routes, useLocation, useNavigationType } from 'react-router';
import { doEarlyTaps } from './early-taps';
import { routes } from './routes';
import { focusHeading } from './ui/arrival';
import { ErrorBoundary } from './ui/ErrorBoundary';
import { rememberVisitor } from './visitor';

/**
 * Its router is the browser's in main.tsx, and one in memory in tests.
 *
 * There is no Suspense around the pages: React then leaves the screen as it is (at first, what the server rendered) until the page's code
 * has loaded. With Suspense React would render an empty page first, and delay the next one by 300 ms.
 */
export function App() {
  const table = useMemo(routes, []);
  return (
    <>
      <EachPage />
      <ErrorBoundary at={useLocation().key}>
        <Routes>
          {table.map(([path, element]) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Routes>
      </ErrorBoundary>
    </>
  );
}

/** On each navigation the tab remembers its visitor, and the page starts at the top, with the focus on its heading. */
function EachPage() {
  const { pathname, search } = useLocation();
  const arrival = useNavigationType();
  useEffect(() => rememberVisitor(search), [search]);
  useEffect(doEarlyTaps, []);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A list that the visitor comes back to has the focus where it was.
    if (arrival !== 'POP' || !document.querySelector('main :focus')) focusHeading();
  }, [pathname, arrival]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address scrolls up
  useEffect(() => {
    if (arrival !== 'POP') window.scrollTo(0, 0);
  }, [pathname]);
  return null;
}
