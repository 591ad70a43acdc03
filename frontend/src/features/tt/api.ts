/** Video on demand: categories, videos, and the visitor's likes and watchlist. */
import { useRef } from 'react';
import { useParams } from 'react-router';
import { catalogueQuery } from '../../api/catalogue';
import { del, get, post, segment } from '../../api/client';
import { queryClient, queryOptions, STALE, useQuery } from '../../api/query-client';
import type {
  MyTt,
  NewTtLike,
  NewWatchlistItem,
  OldTtLike,
  OldWatchlistItem,
  TtBanner,
  TtCategory,
  TtCategoryDetail,
  TtCategoryVideos,
  TtVideo,
  WatchlistItem,
} from '../../api/types';
import { apiTime } from '../../clock';
import { apiService } from '../../service-name';
import { isOpen, useSession } from '../../session';
import { useVisitor } from '../../visitor';

export const categoriesQuery = (service: string) =>
  catalogueQuery<TtCategory[]>(
    ['tt', 'categories', apiService(service)],
    `/api/tt/getCategory/${segment(apiService(service))}`,
  );

export const categoryVideosQuery = (service: string) =>
  catalogueQuery<TtCategoryVideos[]>(
    ['tt', 'category-videos', apiService(service)],
    `/api/tt/getcatvideos/${segment(apiService(service))}`,
  );

export const bannersQuery = (service: string) =>
  catalogueQuery<TtBanner[]>(
    ['tt', 'banners', apiService(service)],
    `/api/tt/banners/${segment(apiService(service))}`,
  );

export const videoQuery = (id: string) =>
  catalogueQuery<TtVideo>(['tt', 'video', id], `/api/tt/ttsinglevideo/${segment(id)}`);

export const relatedQuery = (status: string) =>
  catalogueQuery(['tt', 'related', status], `/api/tt/ttrelated/${segment(status)}`, (reply: TtVideo[]) =>
    Array.isArray(reply) ? reply : [],
  );

export const categoryQuery = (category: string) =>
  catalogueQuery<TtCategoryDetail>(['tt', 'category', category], `/api/tt/catVideos/${segment(category)}`);

const watchlistQuery = (service: string) =>
  queryOptions({
    queryKey: ['tt', 'watchlist', apiService(service)],
    queryFn: () => get<WatchlistItem[]>(`/api/tt/getTTWatchlist/${segment(apiService(service))}`),
    staleTime: STALE.MINUTE,
  });

const mineQuery = (service: string) =>
  queryOptions({
    queryKey: ['tt', 'mine', apiService(service)],
    queryFn: () => get<MyTt>(`/api/tt/mine/${segment(apiService(service))}`),
    staleTime: STALE.MINUTE,
  });

export function useWatchlist(service: string): WatchlistItem[] {
  const session = useSession();
  return useQuery({ ...watchlistQuery(service), enabled: isOpen(session) }).data ?? [];
}

const NOBODY: MyTt = { liked: [], watchlist: [] };
const FAILED_REMOVAL = 'Failed to remove video. Please try again.';

type List = keyof MyTt;

/** Like and Watchlist of one video: both start off, and from the visitor's own state where there is a session. */
export function useMarks(video: TtVideo, service: string) {
  const client = queryClient();
  const session = useSession();
  const visitor = useVisitor();
  const { ani = visitor.msisdn } = useParams();
  const { queryKey } = mineQuery(service);
  const mine = useQuery({ ...mineQuery(service), enabled: isOpen(session) }).data ?? NOBODY;
  const { videoid } = video;

  const send = {
    liked: (on: boolean) =>
      on
        ? post('/api/tt/likevideo', {
            videoid,
            ani,
            status: '1',
            servicename: apiService(service),
            created: apiTime(),
          } satisfies NewTtLike)
        : del('/api/tt/unlikevideo', { ani, videoid } satisfies OldTtLike),
    watchlist: (on: boolean) =>
      on
        ? post('/api/tt/ttaddwatchlist', {
            ani,
            videoid,
            service: apiService(service),
            name: video.name,
          } satisfies NewWatchlistItem)
        : del('/api/tt/ttremove', { ani, videoid } satisfies OldWatchlistItem),
  };

  const underWay = useRef(new Set<List>());
  const set = async (list: List, on: boolean) => {
    // A second tap while the first is under way would undo what the server has not yet done.
    if (underWay.current.has(list)) return;
    underWay.current.add(list);
    try {
      await send[list](on);
      client.setQueryData(queryKey, (before = NOBODY) => {
        const others = before[list].filter(id => id !== videoid);
        return { ...before, [list]: on ? [...others, videoid] : others };
      });
      // An answer that is under way was asked for before this, and must not take it back.
      // As long as nobody knew who is there none was asked for, and this one tap is not all there is.
      if (!isOpen(session) || client.isFetching(mineQuery(service)))
        client.invalidateQueries(mineQuery(service));
      if (list === 'watchlist') client.invalidateQueries(watchlistQuery(service));
    } catch (error) {
      console.info('Not saved', list, error);
      if (!on) window.alert(FAILED_REMOVAL);
    } finally {
      underWay.current.delete(list);
    }
  };

  const markOf = (list: List) => {
    const on = mine[list].includes(videoid);
    return { on, toggle: () => void set(list, !on) };
  };
  return { like: markOf('liked'), watchlist: markOf('watchlist') };
}
