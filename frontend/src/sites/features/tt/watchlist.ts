/** Changes of the watchlist on its own page: each shows at once, and is taken back when its call fails. */

import type { WatchlistItem } from '../../../shared/contract/sites';
import type { ListPage } from '../../api/list';
import { sendOrKeep } from '../../api/outbox';
import { useMutation, useQueryClient } from '../../api/query-client';
import { t } from '../../messages';
import { apiService } from '../../service-name';
import { useVisitor } from '../../visitor';
import { mineQuery, watchlistQuery } from './api';

/** `place`: where in the list it is, or was. */
export type Change = { item: WatchlistItem; place: number; on: boolean };

/** The pages without the item, or with it at its place in the whole list. */
function changed(pages: ListPage<WatchlistItem>[], { item, place, on }: Change): ListPage<WatchlistItem>[] {
  let at = place;
  let isMissing = on;
  return pages.map((page, number) => {
    const items = page.items.filter(({ videoid }) => videoid !== item.videoid);
    const { length } = items;
    if (isMissing && (at <= length || number === pages.length - 1)) {
      items.splice(at, 0, item);
      isMissing = false;
    }
    at -= length;
    return { ...page, items };
  });
}

export function useWatchlistChange(service: string): (change: Change) => void {
  const client = useQueryClient();
  const { msisdn: ani } = useVisitor();
  const list = watchlistQuery(service);
  const mine = mineQuery(service);
  const show = ({ item, place, on }: Change) => {
    const { videoid } = item;
    client.setQueryData(
      list.queryKey,
      before => before && { ...before, pages: changed(before.pages, { item, place, on }) },
    );
    client.setQueryData(mine.queryKey, before => {
      if (!before) return before;
      const others = before.watchlist.filter(id => id !== videoid);
      return { ...before, watchlist: on ? [...others, videoid] : others };
    });
  };
  const { mutate } = useMutation({
    // One after the other: to remove and to undo could arrive in either order.
    scope: { id: 'watchlist' },
    mutationFn: ({ item: { videoid, name }, on }: Change) =>
      on
        ? sendOrKeep(`watchlist ${videoid}`, 'POST /api/tt/ttaddwatchlist', {
            ani,
            videoid,
            service: apiService(service),
            name,
          })
        : sendOrKeep(`watchlist ${videoid}`, 'DELETE /api/tt/ttremove', { ani, videoid }),
    onMutate: async change => {
      // A reply that was requested before this tap does not know of it.
      await Promise.all([client.cancelQueries(list), client.cancelQueries(mine)]);
      show(change);
    },
    onError: (error, change) => {
      console.info('Watchlist not saved', error);
      show({ ...change, on: !change.on });
      if (!change.on) window.alert(t('failed-removal'));
    },
  });
  return mutate;
}
