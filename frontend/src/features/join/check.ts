/** The check of an attempt on the return page. Not in api.ts: the join form loads no react-query. */
import { get } from '../../api/client';
import { queryOptions } from '../../api/query-client';
import type { CheckReply } from '../../api/types';

/** How often the page asks while the network's answer is still to come. */
const CHECK_INTERVAL_MS = 4000;

/** What the record says of an attempt; asked again while it waits. */
export const checkQuery = (msisdn: string, subscriptionId: string) =>
  queryOptions({
    queryKey: ['check-sub', subscriptionId],
    queryFn: () => {
      const query = new URLSearchParams({ msisdn, subscription_id: subscriptionId });
      return get<CheckReply>(`/api/subscribe/check-sub?${query}`);
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => state.data?.state === 'waiting' && CHECK_INTERVAL_MS,
  });
