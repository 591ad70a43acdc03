/** The Go Back button. It is a link with the role of a button, so that it leads home before scripts have run. */

import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { t } from '../../messages';
import { paths } from '../../paths';

export function GoBack({ children }: { children?: ReactNode }) {
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    // With a modifier key the link opens in another tab. In a new tab there is no page to go back to.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (window.history.length <= 1) return;
    event.preventDefault();
    navigate(-1);
  };
  // The browser activates links by Enter; a button also needs the space bar.
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <Link to={paths.root()} role="button" className="button button-quiet" onClick={goBack} onKeyDown={press}>
      {children}
      {t('go-back')}
    </Link>
  );
}
