/** CATEGORIES and WATCHLIST for the header. */
import { useInfiniteQuery } from '../../api/query-client';
import type { WatchlistItem } from '../../api/types';
import { paths } from '../../paths';
import { openOptIn, useFlag } from '../../session';
import { Menu, type MenuItem } from '../../ui/Menu';
import { NoScriptLinks } from '../../ui/NoScriptLinks';
import { categoriesQuery, ownWatchlist, useWatchlist } from './api';

export function TtNav({ service }: { service: string }) {
  const flag = useFlag();
  const categories = useInfiniteQuery(categoriesQuery(service));
  const itemsOf = (watchlist: WatchlistItem[]): MenuItem[] => [
    ...(watchlist.length ? [{ key: 'all', label: 'All with pictures', to: paths.watchlist() }] : []),
    ...watchlist.map(({ id, videoid, name }) => ({
      key: id,
      label: name,
      to: paths.ttVideo(videoid, service),
    })),
  ];
  const watchlist = useWatchlist(service);
  return (
    <>
      <Menu
        label="CATEGORIES"
        empty="No categories yet."
        items={
          categories.data?.items.map(({ id, category_name }) => ({
            key: id,
            label: category_name,
            to: paths.ttCategory(id, service),
            onPick: flag === '1' ? undefined : openOptIn,
          })) ?? (categories.isError ? [] : undefined)
        }
        pages={categories}
      />
      <Menu
        label="WATCHLIST"
        empty="Your watchlist is empty."
        items={itemsOf(watchlist.data?.items ?? [])}
        pages={watchlist}
      />
      <noscript>
        {SERVER_RENDERING && <NoScriptLinks label="WATCHLIST" items={itemsOf(ownWatchlist(service))} />}
      </noscript>
    </>
  );
}
