import type { ComponentProps } from 'react';
import { Link, useLocation } from 'react-router';
import { paths } from '../paths';

const pathOf = (address: string) => address.split('?')[0];

type Props = ComponentProps<typeof Link> & { to: string };

/** A link with `aria-current` on the current page. The router's NavLink costs 1 KB for cases that this site does not have. */
export function NavLink(props: Props) {
  const { pathname } = useLocation();
  // The home has two addresses.
  const at = pathname === '/' ? paths.home('') : pathname;
  const here = pathOf(at) === pathOf(props.to);
  return <Link {...props} aria-current={here ? 'page' : undefined} />;
}
