/** The calls of joining: subscribe, and check whether the network has confirmed. */
import { get, post } from '../../api/client';
import { queryOptions } from '../../api/query-client';
import type { CheckReply, SubscribeReply, SubscribeRequest } from '../../api/types';
import { brand } from '../../brand';

/** By the specification a 200 may carry an error message, too. */
export type JoinReply = SubscribeReply & { error_message?: string; msg?: string };

export function subscribe(
  join: { msisdn: string; ext_ref: string; network: string; anti_fraud_token: string | null; page: string },
  check: string,
): Promise<JoinReply> {
  const { msisdn, ext_ref, network, anti_fraud_token, page } = join;
  const body: SubscribeRequest = { msisdn, ext_ref, channel: 'WAP', svc_id: brand().svc_id };
  if (network) body.network = network;
  if (anti_fraud_token) body.anti_fraud_token = anti_fraud_token;
  if (page) body.page = page;
  return post('/api/subscribe', body, { 'x-join-check': check });
}

/** How often the page asks while the network's answer is still to come. */
const CHECK_INTERVAL_MS = 4000;

/** What the record says of an attempt; asked again while it waits. */
export const checkQuery = (msisdn: string, subscriptionId: string) => {
  const query = new URLSearchParams({ msisdn, subscription_id: subscriptionId });
  return queryOptions({
    queryKey: ['check-sub', subscriptionId],
    queryFn: () => get<CheckReply>(`/api/subscribe/check-sub?${query}`),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => state.data?.state === 'waiting' && CHECK_INTERVAL_MS,
  });
};
