/**
 * The only module that imports react-query: its client, how long replies stay fresh, and when a failed call is tried again. Pages that
 * fetch nothing before a visitor acts do not import it, and load without its bytes.
 */
import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { type ServerInput, serverInput } from '../server-input';
import { ApiProblem } from './problem';

export {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  QueryClientProvider,
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';

const MINUTE = 60_000;

/** Catalogue replies change a few times a day; a visitor's own state changes only by what the visitor does here. */
export const STALE = {
  MINUTE,
  CATALOGUE: 5 * MINUTE,

  WHILE_OPEN: Number.POSITIVE_INFINITY,
} as const;

let current: { of: ServerInput | undefined; client: QueryClient } | undefined;

/** One client per tab; on the server, one per page. */
export function queryClient(): QueryClient {
  const of = serverInput();
  if (!current || current.of !== of) current = { of, client: createQueryClient(of) };
  return current.client;
}

function createQueryClient(of: ServerInput | undefined): QueryClient {
  // Its initial value is "online": without this line a page that opened offline would not notice that the connection is back.
  onlineManager.setOnline(of !== undefined || navigator.onLine);
  return new QueryClient({
    queryCache: new QueryCache({
      // Only the first part of the key: the session's key holds a phone number.
      onError: (error, query) => console.info('Call failed', query.queryKey[0], error),
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE.CATALOGUE,
        // Long enough to watch a film and go back to the same place in a list. Server rendering has no timers.
        gcTime: of ? Number.POSITIVE_INFINITY : 60 * MINUTE,
        // Only a lost connection or a 5xx is tried again.
        retry: (failures, error) => failures < 1 && !(error instanceof ApiProblem && error.status < 500),
        retryDelay: 800,
        refetchOnWindowFocus: false,
        // Without a connection the service worker may still have a reply, and a failure must show.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // Without a connection a change fails at once, instead of waiting for the connection with nothing to show for it.
      mutations: { networkMode: 'always' },
    },
  });
}
