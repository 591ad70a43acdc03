/** What a visitor reads who returns from the network's page without a confirmation. */
import type { MessageId } from '../messages';
import type { NetworkRequest } from '../visitor';

export const UNCONFIRMED: Record<NetworkRequest, MessageId> = {
  join: 'unconfirmed-join',
  verify: 'unconfirmed-verify',
  leave: 'unconfirmed-leave',
};
