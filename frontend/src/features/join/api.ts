/** Joining, and asking whether the network has confirmed a join. */
import { get, post } from '../../api/client';
import type { CheckReply, SubscribeReply } from '../../api/types';
import { brand } from '../../brand';

export function subscribe(msisdn: string, ext_ref: string): Promise<SubscribeReply> {
  return post('/api/subscribe', { msisdn, ext_ref, channel: 'WAP', svc_id: brand().svc_id });
}

export function checkSubscription(msisdn: string, subscriptionId: string): Promise<CheckReply> {
  const query = new URLSearchParams({ msisdn, subscription_id: subscriptionId });
  return get(`/api/subscribe/check-sub?${query}`);
}
