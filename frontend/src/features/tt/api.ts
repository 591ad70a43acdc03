/** Video on demand: categories, videos, and the visitor's likes and watchlist. */
import { useParams } from 'react-router';
import { catalogueQuery } from '../../api/catalogue';
import { del, get, post, segment } from '../../api/client';
import { asArray, listQuery } from '../../api/list';
import {
  queryOptions,
  STALE,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '../../api/query-client';
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
import { ownReply } from '../../server-input';
import { apiService } from '../../service-name';
import { isOpen, useSession } from '../../session';
import { useVisitor } from '../../visitor';

export const categoriesQuery = (service: string) =>
  listQuery<TtCategory[], TtCategory>(
    ['tt', 'categories', apiService(service)],
    `/api/tt/getCategory/${segment(apiService(service))}`,
  );

export const categoryVideosQuery = (service: string) =>
  listQuery(
    ['tt', 'category-videos', apiService(service)],
    `/api/tt/getcatvideos/${segment(apiService(service))}`,
    {
      items: (rows: TtCategoryVideos[]) =>
        asArray<TtCategoryVideos>(rows).map(row => ({ ...row, id: row.category.id })),
    },
  );

export const bannersQuery = (service: string) =>
  catalogueQuery<TtBanner[]>(
    ['tt', 'banners', apiService(service)],
    `/api/tt/banners/${segment(apiService(service))}`,
  );

export const videoQuery = (id: string) =>
  catalogueQuery<TtVideo>(['tt', 'video', id], `/api/tt/ttsinglevideo/${segment(id)}`);

/** The most videos in a row. */
const ROW_LENGTH = 24;

export const relatedQuery = (status: string) =>
  catalogueQuery(
    ['tt', 'related', status],
    `/api/tt/ttrelated/${segment(status)}?limit=${ROW_LENGTH}`,
    asArray<TtVideo>,
  );

export const categoryQuery = (category: string) =>
  listQuery(['tt', 'category', category], `/api/tt/catVideos/${segment(category)}`, {
    items: ({ videos }: TtCategoryDetail) => asArray<TtVideo>(videos),
    name: ({ categoryName }: TtCategoryDetail) => categoryName,
  });

const watchlistPath = (service: string) => `/api/tt/getTTWatchlist/${segment(apiService(service))}`;

export const watchlistQuery = (service: string) => ({
  ...listQuery<WatchlistItem[], WatchlistItem>(
    ['tt', 'watchlist', apiService(service)],
    watchlistPath(service),
  ),
  staleTime: STALE.MINUTE,
});

/** For browsers without scripts. */
export const ownWatchlist = (service: string): WatchlistItem[] =>
  ownReply<WatchlistItem[]>(watchlistPath(service)) ?? [];

export const mineQuery = (service: string) =>
  queryOptions({
    queryKey: ['tt', 'mine', apiService(service)],
    queryFn: () => get<MyTt>(`/api/tt/mine/${segment(apiService(service))}`),
    staleTime: STALE.MINUTE,
  });

export function useWatchlist(service: string) {
  const session = useSession();
  return useInfiniteQuery({ ...watchlistQuery(service), enabled: isOpen(session) });
}

const NOTHING: MyTt = { liked: [], watchlist: [] };
const MARK = ['tt', 'mark'];
export const FAILED_REMOVAL = 'Failed to remove video. Please try again.';

type List = keyof MyTt;

/** The state of Like and Watchlist for one video. Both are off until the visitor's lists are loaded. */
export function useMarks(video: TtVideo, service: string) {
  const { msisdn } = useVisitor();
  const { ani = msisdn } = useParams();
  const { videoid } = video;
  const serviceName = apiService(service);

  const like = useMark('liked', videoid, service, on =>
    on
      ? post('/api/tt/likevideo', {
          videoid,
          ani,
          status: '1',
          servicename: serviceName,
          created: apiTime(),
        } satisfies NewTtLike)
      : del('/api/tt/unlikevideo', { ani, videoid } satisfies OldTtLike),
  );
  const watchlist = useMark('watchlist', videoid, service, on =>
    on
      ? post('/api/tt/ttaddwatchlist', {
          ani,
          videoid,
          service: serviceName,
          name: video.name,
        } satisfies NewWatchlistItem)
      : del('/api/tt/ttremove', { ani, videoid } satisfies OldWatchlistItem),
  );
  return { like, watchlist };
}

/** Whether a video is in one of the visitor's lists. A change is shown optimistically, and undone if its call fails. */
function useMark(list: List, videoid: number, service: string, send: (on: boolean) => Promise<unknown>) {
  const client = useQueryClient();
  const session = useSession();
  const query = mineQuery(service);
  const mine = useQuery({ ...query, enabled: isOpen(session) }).data ?? NOTHING;
  const on = mine[list].includes(videoid);

  const show = (on: boolean) =>
    client.setQueryData(query.queryKey, (before = NOTHING) => {
      const others = before[list].filter(id => id !== videoid);
      return { ...before, [list]: on ? [...others, videoid] : others };
    });

  const mutationKey = [...MARK, list, videoid];
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: send,
    onMutate: async on => {
      // A reply to an earlier request does not contain this change.
      await client.cancelQueries(query);
      show(on);
    },
    onError: (error, on) => {
      console.info('Not saved', list, error);
      show(!on);
      if (!on) window.alert(FAILED_REMOVAL);
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: MARK }) === 1) client.invalidateQueries(query);
      if (list === 'watchlist') client.invalidateQueries(watchlistQuery(service));
    },
  });

  const toggle = () => {
    // Two concurrent calls for one video could arrive in either order.
    if (client.isMutating({ mutationKey }) === 0) mutate(!on);
  };
  return { on, toggle };
}
