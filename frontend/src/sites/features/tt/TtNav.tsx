/** CATEGORIES and WATCHLIST for the header. */

import type { WatchlistItem } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { langOf, t } from '../../messages';
import { paths } from '../../paths';
import { openOptIn, useFlag } from '../../session';
import { Menu, type MenuItem } from '../../ui/Menu';
import { categoriesQuery, useWatchlist } from './api';

export function TtNav({ service }: { service: string }) {
  const flag = useFlag();
  const categories = useInfiniteQuery(categoriesQuery(service));
  const itemsOf = (watchlist: WatchlistItem[]): MenuItem[] => [
    ...(watchlist.length ? [{ key: 'all', label: t('watchlist-all'), to: paths.watchlist() }] : []),
    ...watchlist.map(({ id, videoid, name, name_lang }) => ({
      key: id,
      label: name,
      lang: langOf(name_lang),
      to: paths.ttVideo(videoid, service),
    })),
  ];
  const watchlist = useWatchlist(service);
  return (
    <>
      <Menu
        label={t('CATEGORIES')}
        empty={t('no-categories')}
        items={
          categories.data?.items.map(({ id, category_name, category_name_lang }) => ({
            key: id,
            label: category_name,
            lang: langOf(category_name_lang),
            to: paths.ttCategory(id, service),
            onPick: flag === '1' ? undefined : () => openOptIn(paths.ttCategory(id, service)),
          })) ?? (categories.isError ? [] : undefined)
        }
        pages={categories}
      />
      <Menu
        label={t('WATCHLIST')}
        empty={t('watchlist-empty')}
        items={itemsOf(watchlist.data?.items ?? [])}
        pages={watchlist}
      />
    </>
  );
}
