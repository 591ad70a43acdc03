/** CATEGORIES and WATCHLIST for the header. */
import { useQuery } from '../../api/query-client';
import { paths } from '../../paths';
import { openOptIn, useFlag } from '../../session';
import { Menu } from '../../ui/Menu';
import { categoriesQuery, useWatchlist } from './api';

export function TtNav({ service }: { service: string }) {
  const flag = useFlag();
  const { data, isError } = useQuery(categoriesQuery(service));
  const watchlist = useWatchlist(service);
  return (
    <>
      <Menu
        label="CATEGORIES"
        empty="No categories yet."
        items={
          isError
            ? []
            : data?.map(({ id, category_name }) => ({
                key: id,
                label: category_name,
                to: paths.ttCategory(id, service),
                onPick: flag === '1' ? undefined : openOptIn,
              }))
        }
      />
      <Menu
        label="WATCHLIST"
        empty="Your watchlist is empty."
        items={watchlist.map(({ id, videoid, name }) => ({
          key: id,
          label: name,
          to: paths.ttVideo(videoid, service),
        }))}
      />
    </>
  );
}
