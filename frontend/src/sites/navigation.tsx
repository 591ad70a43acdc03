/** The browser's router with a progress bar. react-router's BrowserRouter does not expose that a page's code is still loading. */

import { type ReactNode, useLayoutEffect, useState, useTransition } from 'react';
import { UNSAFE_createBrowserHistory as createBrowserHistory, Router } from 'react-router';
import { t } from './messages';
import './ui/progress.css';

const history = createBrowserHistory({ v5Compat: true });

export function Navigation({ children }: { children: ReactNode }) {
  const [{ action, location }, setState] = useState({ action: history.action, location: history.location });
  const [waiting, startTransition] = useTransition();
  useLayoutEffect(() => history.listen(next => startTransition(() => setState(next))), []);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
      {waiting && <div className="progress" role="progressbar" aria-label={t('loading-page')} />}
    </Router>
  );
}
