/** The header: logo and menu. */

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { brand } from '../brand';
import { useHydrated } from '../hydration';
import { t } from '../messages';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import { LanguageSwitch } from './LanguageSwitch';
import './site-header.css';

export function SiteHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="site-header">
      <Link className="logo" to={useHome()} aria-label={t('logo', { name: brand().name })}>
        <Wordmark name={brand().name} />
      </Link>
      {children ?? <LanguageSwitch />}
    </header>
  );
}

/** The brand's home for this visitor. The server renders it without a number. */
export function useHome(): string {
  const { msisdn } = useVisitor();
  return paths.home(useHydrated(() => msisdn, ''));
}

/** The name in two colours: the accent is on the last word, or in a single word on its last digits or five letters. */
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
