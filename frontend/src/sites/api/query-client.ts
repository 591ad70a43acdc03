/** The sites' client of react-query, and its retry rule. Pages that fetch nothing before the visitor acts do not import it. */
import { onlineManager, QueryCache, QueryClient, STALE } from '../../shared/http/queries';
import { type ServerInput, serverInput } from '../server-input';
import { ApiProblem } from './problem';

export * from '../../shared/http/queries';

let current: { input: ServerInput | undefined; client: QueryClient } | undefined;

/** One client per tab; in server rendering, one per page. */
export function queryClient(): QueryClient {
  const input = serverInput();
  if (!current || current.input !== input) current = { input, client: createQueryClient(input) };
  return current.client;
}

function createQueryClient(input: ServerInput | undefined): QueryClient {
  // The manager starts as "online": a page that was opened offline would otherwise not notice the reconnect.
  onlineManager.setOnline(input !== undefined || navigator.onLine);
  return new QueryClient({
    queryCache: new QueryCache({
      // Without the query and the rest of the key, which may contain a phone number.
      onError: (error, query) => console.info('Call failed', String(query.queryKey[0]).split('?')[0], error),
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE.CATALOGUE,
        // Long enough to watch a film and return to the same position in a list. Server rendering has no timers.
        gcTime: input ? Number.POSITIVE_INFINITY : 60 * STALE.MINUTE,
        // Retries only after a lost connection or a 5xx.
        retry: (failures, error) => failures < 1 && !(error instanceof ApiProblem && error.status < 500),
        retryDelay: 800,
        refetchOnWindowFocus: false,
        // Without a connection the service worker may still have a cached reply, and a failure must be shown.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      // Without a connection a mutation fails at once instead of waiting silently.
      mutations: { networkMode: 'always' },
    },
  });
}
