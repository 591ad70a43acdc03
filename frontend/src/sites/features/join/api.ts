/** The call of joining. */

import type { SubscribeReply, SubscribeRequest } from '../../../shared/contract/sites';
import { send } from '../../api/client';
import { brand } from '../../brand';

/** By the specification a 200 may carry an error message, too. */
export type JoinReply = SubscribeReply & { msg?: string };

export function subscribe(
  join: {
    msisdn: string;
    ext_ref: string;
    network: string;
    anti_fraud_token: string | null;
    page: string;
    shown: string;
  },
  check: string,
): Promise<JoinReply> {
  const { msisdn, ext_ref, network, anti_fraud_token, page, shown } = join;
  const body: SubscribeRequest = { msisdn, ext_ref, channel: 'WAP', svc_id: brand().svc_id, shown };
  if (network) body.network = network;
  if (anti_fraud_token) body.anti_fraud_token = anti_fraud_token;
  if (page) body.page = page;
  return send('POST /api/subscribe', body, { 'x-join-check': check });
}
