/** Go Back: a button by its name and its keys, and a link underneath, so that it leads home before any script has run. */
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../paths';

export function GoBack({ children }: { children?: ReactNode }) {
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    // With one of these the link opens elsewhere; opened by a link from elsewhere there is no page to go back to.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (window.history.length <= 1) return;
    event.preventDefault();
    navigate(-1);
  };
  // Enter is the link's own; a button answers to the space bar, too.
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  };
  return (
    <Link to={paths.root()} role="button" className="button button-quiet" onClick={goBack} onKeyDown={press}>
      {children}
      Go Back
    </Link>
  );
}
