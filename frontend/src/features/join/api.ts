/** The calls of joining: subscribe, and check whether the network has confirmed. */
import { get, post, request } from '../../api/client';
import type { ChallengeReply, CheckReply, SubscribeReply, SubscribeRequest } from '../../api/types';
import { brand } from '../../brand';
import { rememberNetworkRequest } from '../../visitor';
import type { Signals } from './press';

/** The service takes a press that follows its challenge sooner as a program's. */
const CHALLENGE_AGE_MS = 300;

/** By the specification a 200 may carry an error message, too. */
export type JoinReply = SubscribeReply & { error_message?: string; msg?: string };

/** What shows that a person joins, for the header of the call. */
export type JoinCheck = { challenge: string; code: string; homepage: string; signals: Signals | undefined };

/** A challenge for one join; empty where there is none, and the service then asks the visitor to type a code. */
export async function requestChallenge(): Promise<string> {
  try {
    const response = await request('POST', '/api/subscribe/challenge', { svc_id: brand().svc_id });
    const { challenge } = (await response.json()) as ChallengeReply;
    await new Promise(resolve => setTimeout(resolve, CHALLENGE_AGE_MS));
    return challenge;
  } catch (error) {
    console.info('No challenge', error);
    return '';
  }
}

export function subscribe(
  join: { msisdn: string; ext_ref: string; network: string; anti_fraud_token: string | null },
  check: JoinCheck,
): Promise<JoinReply> {
  rememberNetworkRequest('join');
  const { msisdn, ext_ref, network, anti_fraud_token } = join;
  const body: SubscribeRequest = { msisdn, ext_ref, channel: 'WAP', svc_id: brand().svc_id };
  if (network) body.network = network;
  if (anti_fraud_token) body.anti_fraud_token = anti_fraud_token;
  // A header has ASCII characters only, and what is right has no others.
  const header = JSON.stringify(check).replace(/[^ -~]/g, '');
  return post('/api/subscribe', body, { 'x-join-check': header });
}

export function checkSubscription(msisdn: string, subscriptionId: string): Promise<CheckReply> {
  const query = new URLSearchParams({ msisdn, subscription_id: subscriptionId });
  return get(`/api/subscribe/check-sub?${query}`);
}
