/** What a visitor reads who returns from the network's page without a confirmation. */
import type { NetworkRequest } from '../visitor';

export const UNCONFIRMED: Record<NetworkRequest, string> = {
  join: 'You have not joined: your network has not confirmed it. Nothing is charged.',
  verify: 'Your network has not confirmed that the number is yours.',
  leave: 'If you confirmed it to your network, your subscription has ended.',
};
