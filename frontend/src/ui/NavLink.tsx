import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';

type Props = { to: string; className: string; children: ReactNode };

/** A link that knows when it leads to where we are. The router's own weighs 1 KB for cases this site does not have. */
export function NavLink({ to, className, children }: Props) {
  const here = useLocation().pathname === to.split('?')[0];
  return (
    <Link to={to} className={className} aria-current={here ? 'page' : undefined}>
      {children}
    </Link>
  );
}
