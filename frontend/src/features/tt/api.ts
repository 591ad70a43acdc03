/** Video on demand: categories, videos, and the visitor's own lists. */
import { catalogueQuery } from '../../api/catalogue';
import { get, segment } from '../../api/client';
import { ownReply } from '../../api/embedded-replies';
import { asArray, type ListPage, listQuery } from '../../api/list';
import { type InfiniteData, queryOptions, STALE, useInfiniteQuery } from '../../api/query-client';
import type {
  MyTt,
  TtBanner,
  TtCategory,
  TtCategoryDetail,
  TtCategoryVideos,
  TtVideo,
  WatchlistItem,
} from '../../api/types';
import { apiService } from '../../service-name';
import { isOpen, useSession } from '../../session';

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

type Embedded = () => InfiniteData<ListPage<WatchlistItem>, string> | undefined;
const embeddedWatchlists = new Map<string, Embedded>();

/** The same function each time: react-query calls a new one again in each rendering, and its result would be new each time. */
function embeddedWatchlist(path: string): Embedded {
  const embedded = () => {
    const items = ownReply<WatchlistItem[]>(path);
    return items ? { pages: [{ items, name: '', next: undefined }], pageParams: [path] } : undefined;
  };
  const known = embeddedWatchlists.get(path) ?? embedded;
  embeddedWatchlists.set(path, known);
  return known;
}

export const watchlistQuery = (service: string) => ({
  ...listQuery<WatchlistItem[], WatchlistItem>(
    ['tt', 'watchlist', apiService(service)],
    watchlistPath(service),
  ),
  staleTime: STALE.MINUTE,
  placeholderData: embeddedWatchlist(watchlistPath(service)),
});

const minePath = (service: string) => `/api/tt/mine/${segment(apiService(service))}`;

export const mineQuery = (service: string) =>
  queryOptions({
    queryKey: ['tt', 'mine', apiService(service)],
    queryFn: () => get<MyTt>(minePath(service)),
    staleTime: STALE.MINUTE,
    placeholderData: () => ownReply<MyTt>(minePath(service)) ?? undefined,
  });

export function useWatchlist(service: string) {
  const session = useSession();
  return useInfiniteQuery({ ...watchlistQuery(service), enabled: isOpen(session) });
}
