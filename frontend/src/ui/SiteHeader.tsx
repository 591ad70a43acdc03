/** Logo, and what stands beside it. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { brand } from '../brand';
import { useHydrated } from '../hydration';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import './site-header.css';

export function SiteHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="site-header">
      <Link className="logo" to={useHome()} aria-label={`${brand().name}, home`}>
        <Wordmark name={brand().name} />
      </Link>
      {children}
    </header>
  );
}

/** The brand's home for this visitor. A number never gets into what the server writes. */
export function useHome(): string {
  const { msisdn } = useVisitor();
  return paths.home(useHydrated(() => msisdn, ''));
}

/** The name in two tones: its last word takes the accent; of a single word, the digits at its end or its last five letters. */
function Wordmark({ name }: { name: string }) {
  const space = name.lastIndexOf(' ');
  const cut = space > 0 ? space : Math.max(name.length - (/\d+$/.exec(name)?.[0].length ?? 5), 0);
  return (
    <span className="wordmark">
      {name.slice(0, cut)}
      <b>{name.slice(cut)}</b>
    </span>
  );
}
