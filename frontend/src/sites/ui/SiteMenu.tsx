/** Search and navigation: a row on wide screens, a full-screen menu on phones. */

import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useOpenAt } from '../../shared/ui/open-at';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { CrossIcon, MenuIcon, SearchIcon } from './icons';
import { useHome } from './SiteHeader';

export function SiteMenu({ children }: { children: ReactNode }) {
  const [open, setOpen] = useOpenAt(useLocation().key);
  const toggle = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLElement>(null);
  const home = useHome();

  useEffect(() => {
    document.documentElement.toggleAttribute('data-menu-open', open);
    if (!open) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      // An open list in the menu closes first.
      if (event.key !== 'Escape' || menu.current?.querySelector('[data-open=true]')) return;
      setOpen(false);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('keydown', closeOnEscape);
      document.documentElement.removeAttribute('data-menu-open');
    };
  }, [open, setOpen]);

  return (
    <>
      <Link className="icon-button site-header-search" to={paths.search()} aria-label={t('search')}>
        <SearchIcon />
      </Link>
      <button
        ref={toggle}
        type="button"
        className="icon-button site-header-toggle"
        aria-expanded={open}
        aria-controls="site-menu"
        aria-label={t(open ? 'close-menu' : 'open-menu')}
        onClick={() => setOpen(!open)}
      >
        {open ? <CrossIcon /> : <MenuIcon />}
      </button>
      <nav ref={menu} id="site-menu" className="site-nav" data-open={open} aria-label={t('main-menu')}>
        <Link className="nav-link" to={home}>
          {t('HOME')}
        </Link>
        {brand().kind !== 'meme' && (
          <Link className="nav-link" to={paths.feed()} aria-label={t('watch-all')}>
            {t('watch')}
          </Link>
        )}
        {children}
        <div className="site-nav-foot">
          <Link className="nav-link" to={paths.mine()}>
            {t('mine')}
          </Link>
          <Link className="nav-link" to={paths.subscription()}>
            {t('my-subscription')}
          </Link>
        </div>
      </nav>
    </>
  );
}
