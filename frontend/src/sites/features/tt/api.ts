/** Video on demand: categories, videos, and the visitor's own lists. */

import type { TtCategoryVideos, TtVideo } from '../../../shared/contract/sites';
import { catalogueQuery, ownQuery } from '../../api/catalogue';
import { address } from '../../api/client';
import { feedQuery } from '../../api/feed';
import { asArray, listQuery, ownListQuery } from '../../api/list';
import { useInfiniteQuery } from '../../api/query-client';
import { FEW, NEXT_FEW, SEARCH_LIMIT, searchQuery } from '../../api/search';
import { seenVideo } from '../../api/seen-videos';
import { apiService } from '../../service-name';
import { isOpen, useSession } from '../../session';

/** The parameter of a call about a service. */
const of = (service: string) => ({ service: apiService(service) });
const categoriesAt = (service: string, limit?: number) =>
  address('GET /api/tt/getCategory/{service}', { path: of(service), query: { limit } });
const categoryAt = (cat: number | string) => address('GET /api/tt/catVideos/{cat}', { path: { cat } });

export const categoriesQuery = (service: string) => listQuery(categoriesAt(service));

export const categoryVideosQuery = (service: string) =>
  listQuery(address('GET /api/tt/getcatvideos/{service}', { path: of(service) }), {
    items: rows => asArray<TtCategoryVideos>(rows).map(row => ({ ...row, id: row.category.id })),
  });

export const bannersQuery = (service: string) =>
  catalogueQuery(address('GET /api/tt/banners/{service}', { path: of(service) }));

export const videoQuery = (id: string) => ({
  ...catalogueQuery(address('GET /api/tt/ttsinglevideo/{id}', { path: { id } })),
  placeholderData: () => seenVideo<TtVideo>(id),
});

/** The most videos in a row. */
const ROW_LENGTH = 24;

export const relatedQuery = (status: string) =>
  catalogueQuery(
    address('GET /api/tt/ttrelated/{status}', { path: { status }, query: { limit: ROW_LENGTH } }),
    asArray<TtVideo>,
  );

export const categoryQuery = (category: string) =>
  listQuery(categoryAt(category), {
    items: ({ videos }) => asArray<TtVideo>(videos),
    name: ({ categoryName }) => categoryName,
    lang: ({ categoryName_lang }) => categoryName_lang,
  });

export const foundQuery = (service: string, q: string) =>
  searchQuery<TtVideo>(
    address('GET /api/tt/search/{service}', { path: { service }, query: { q, limit: SEARCH_LIMIT } }),
    q,
  );

const orderedQuery = (service: string, order: 'newest' | 'most_liked', limit: number) =>
  searchQuery<TtVideo>(
    address('GET /api/tt/search/{service}', { path: { service }, query: { order, limit } }),
    '',
  );
export const newestQuery = (service: string) => orderedQuery(service, 'newest', NEXT_FEW);
export const mostLikedQuery = (service: string) => orderedQuery(service, 'most_liked', FEW);

/** What taste.ts calls the category of a video. */
export const tasteOf = ({ category_id }: TtVideo) => `category-${category_id}`;

export const ttFeedQuery = (service: string) =>
  feedQuery({
    groups: categoriesAt(service, 1),
    videosOf: categoryAt,
    videos: ({ videos }) => asArray<TtVideo>(videos),
    taste: { prefix: 'category-', keyOf: tasteOf },
  });

export const watchlistQuery = (service: string) =>
  ownListQuery(address('GET /api/tt/getTTWatchlist/{service}', { path: of(service) }));

export const mineQuery = (service: string) =>
  ownQuery(address('GET /api/tt/mine/{service}', { path: of(service) }));

export function useWatchlist(service: string) {
  const session = useSession();
  return useInfiniteQuery({ ...watchlistQuery(service), enabled: isOpen(session) });
}
