/** The check of an attempt on the return page. Not in api.ts: the join form loads no react-query. */
import { address, get } from '../../api/client';
import { queryOptions } from '../../api/query-client';

/** How often the page asks while the network's answer is still to come. */
const CHECK_INTERVAL_MS = 4000;

/** What the record says of an attempt; asked again while it waits. */
export function checkQuery(msisdn: string, subscription_id: string) {
  const path = address('GET /api/subscribe/check-sub', { query: { msisdn, subscription_id } });
  return queryOptions({
    queryKey: [path],
    queryFn: () => get(path),
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.state === 'waiting' && CHECK_INTERVAL_MS,
  });
}
