/** The bar at the bottom of a phone: what a thumb reaches without the menu. */

import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { HomeIcon, PersonIcon, PlayIcon, SearchIcon } from './icons';
import { NavLink } from './NavLink';
import { useHome } from './SiteHeader';

export function SiteBar() {
  const home = useHome();
  const { kind } = brand();
  return (
    <nav className="site-bar" aria-label={t('quick-links')}>
      <NavLink to={home}>
        <HomeIcon />
        {t('home')}
      </NavLink>
      {kind !== 'meme' && (
        <NavLink to={paths.feed()} aria-label={t('watch-all')}>
          <PlayIcon />
          {t('watch')}
        </NavLink>
      )}
      <NavLink to={paths.search()}>
        <SearchIcon />
        {t('search')}
      </NavLink>
      <NavLink to={paths.mine()}>
        <PersonIcon />
        {t('mine')}
      </NavLink>
    </nav>
  );
}
