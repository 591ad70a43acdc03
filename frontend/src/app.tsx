/** What every page shares: the routes, and what happens at each new address. */
import { Component, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Route, Routes, useLocation, useNavigationType } from 'react-router';
import { doEarlyTaps } from './early-taps';
import { routes } from './routes';
import { focusHeading } from './ui/arrival';
import { Frame } from './ui/Frame';
import { rememberVisitor } from './visitor';
import './ui/tokens.css';
import './ui/faces.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/grid.css';

/**
 * Takes its router from outside: the browser's in main.tsx, one in memory in tests.
 *
 * No Suspense around the pages: React then leaves what is on the screen (at first, whatever the server wrote) until the page's code is
 * there. Behind one it would draw an empty page first, and hold the real one back for the next 300 ms.
 */
export function App() {
  const table = useMemo(routes, []);
  return (
    <>
      <EachPage />
      <Mishap at={useLocation().key}>
        <Routes>
          {table.map(([path, element]) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Routes>
      </Mishap>
    </>
  );
}

/** What every new address brings: the tab remembers its visitor, and the page starts at the top, with the focus on its heading. */
function EachPage() {
  const { pathname, search } = useLocation();
  const arrival = useNavigationType();
  useEffect(() => rememberVisitor(search), [search]);
  useEffect(doEarlyTaps, []);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    focusHeading();
  }, [pathname]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address scrolls up
  useEffect(() => {
    if (arrival !== 'POP') window.scrollTo(0, 0);
  }, [pathname]);
  return null;
}

/** A page that cannot be drawn, most often because a new release replaced its file while the tab was open. */
class Mishap extends Component<{ at: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  override componentDidMount() {
    window.addEventListener('online', this.loadAgain);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.loadAgain);
  }

  override componentDidUpdate(before: { at: string }) {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: false });
  }

  /** What failed for want of a connection comes with it. */
  loadAgain = () => {
    if (this.state.failed) window.location.reload();
  };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Frame title="This page did not load">
        <div className="notice notice-page" role="alert">
          <h1>This page did not load.</h1>
          <p>Your connection may have dropped, or there is a newer version of the site.</p>
          <button type="button" className="button" onClick={() => window.location.reload()}>
            Load it again
          </button>
        </div>
      </Frame>
    );
  }
}
