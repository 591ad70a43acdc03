/** How long replies stay fresh, and when a failed call is tried again. */
import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem';

const MINUTE = 60_000;

/** Catalogue replies change a few times a day; a visitor's own state changes only by what they do here. */
export const STALE = { MINUTE, CATALOGUE: 5 * MINUTE, WHILE_OPEN: Number.POSITIVE_INFINITY } as const;

export function createQueryClient(online = navigator.onLine): QueryClient {
  // It believes in a connection until it hears of a loss; a page that opened offline would then never hear of the return.
  onlineManager.setOnline(online);
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => console.info('Call failed', query.queryKey, error),
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
