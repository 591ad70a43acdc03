/** The only module that imports react-query, and stale times. */
export {
  focusManager,
  type InfiniteData,
  infiniteQueryOptions,
  onlineManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';

const MINUTE = 60_000;

/** Stale times. Catalogue replies change a few times a day; a visitor's likes and watchlist change only by the visitor's own actions. */
export const STALE = {
  MINUTE,
  CATALOGUE: 5 * MINUTE,
  WHILE_OPEN: Number.POSITIVE_INFINITY,
} as const;
