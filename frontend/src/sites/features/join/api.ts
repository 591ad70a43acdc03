/** The calls of joining. */

import type { ChallengeReply, SubscribeReply, SubscribeRequest } from '../../../shared/contract/sites';
import { request, send } from '../../api/client';
import { brand } from '../../brand';

/** By the specification a 200 may carry an error message, too. */
export type JoinReply = SubscribeReply & { msg?: string };

/** The service reads a press that follows its challenge sooner as a program's. */
const CHALLENGE_AGE_MS = 300;

export function subscribe(join: Omit<SubscribeRequest, 'channel' | 'svc_id'>): Promise<JoinReply> {
  return send('POST /api/subscribe', { ...join, channel: 'WAP', svc_id: brand().svc_id });
}

/** A challenge for one join, on a page that shows these prices; empty where there is none, and the service then asks for a code. */
export async function requestChallenge(shown: string): Promise<string> {
  try {
    const response = await request('POST', '/api/subscribe/challenge', { svc_id: brand().svc_id, shown });
    const { challenge }: ChallengeReply = await response.json();
    await new Promise(resolve => setTimeout(resolve, CHALLENGE_AGE_MS));
    return challenge;
  } catch (error) {
    console.info('No challenge', error);
    return '';
  }
}
