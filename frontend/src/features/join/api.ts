/** The calls of joining: subscribe, and check whether the network has confirmed. */
import { get, post } from '../../api/client';
import type { CheckReply, SubscribeReply, SubscribeRequest } from '../../api/types';
import { brand } from '../../brand';
import { rememberNetworkRequest } from '../../visitor';

/** By the specification a 200 may carry an error message, too. */
export type JoinReply = SubscribeReply & { error_message?: string; msg?: string };

export function subscribe(
  join: { msisdn: string; ext_ref: string; network: string; anti_fraud_token: string | null },
  check: string,
): Promise<JoinReply> {
  rememberNetworkRequest('join');
  const { msisdn, ext_ref, network, anti_fraud_token } = join;
  const body: SubscribeRequest = { msisdn, ext_ref, channel: 'WAP', svc_id: brand().svc_id };
  if (network) body.network = network;
  if (anti_fraud_token) body.anti_fraud_token = anti_fraud_token;
  return post('/api/subscribe', body, { 'x-join-check': check });
}

export function checkSubscription(msisdn: string, subscriptionId: string): Promise<CheckReply> {
  const query = new URLSearchParams({ msisdn, subscription_id: subscriptionId });
  return get(`/api/subscribe/check-sub?${query}`);
}
