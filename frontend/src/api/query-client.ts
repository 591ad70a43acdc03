/**
 * The one door to react-query: what was fetched, for how long it stays fresh, and when a failed call is tried again. Only pages that
 * fetch something before anybody touches them come through it, so that the others are spared its bytes.
 */
import { onlineManager, QueryCache, QueryClient, useQuery as useQueryOf } from '@tanstack/react-query';
import { type Served, served } from '../served';
import { ApiProblem } from './problem';

export { type QueryKey, queryOptions } from '@tanstack/react-query';

const MINUTE = 60_000;

/** Catalogue replies change a few times a day; a visitor's own state changes only by what they do here. */
export const STALE = { MINUTE, CATALOGUE: 5 * MINUTE, WHILE_OPEN: Number.POSITIVE_INFINITY } as const;

let current: { of: Served | undefined; client: QueryClient } | undefined;

/** What the pages of this tab have fetched; on the server, of one drawing. */
export function queryClient(): QueryClient {
  const of = served();
  if (!current || current.of !== of) {
    current = { of, client: createQueryClient(of !== undefined || navigator.onLine) };
    // It then hears of a connection that returns.
    if (!of) current.client.mount();
  }
  return current.client;
}

export const useQuery = ((options: Parameters<typeof useQueryOf>[0]) =>
  useQueryOf(options, queryClient())) as typeof useQueryOf;

function createQueryClient(online: boolean): QueryClient {
  // It believes in a connection until it hears of a loss; a page that opened offline would then never hear of the return.
  onlineManager.setOnline(online);
  return new QueryClient({
    queryCache: new QueryCache({
      // Not the whole key: the session's holds a number, and a console may be photographed or sent on.
      onError: (error, query) => console.info('Call failed', query.queryKey[0], error),
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE.CATALOGUE,
        // An answer is an answer; only a lost connection or a server in trouble is worth a second try.
        retry: (failures, error) => failures < 1 && !(error instanceof ApiProblem && error.status < 500),
        retryDelay: 800,
        refetchOnWindowFocus: false,
        // Without a connection the service worker may still know an answer, and a failure must show as one.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
    },
  });
}
