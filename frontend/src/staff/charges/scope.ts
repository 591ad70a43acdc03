/** Which charges a pause is about, and the sentence that says it. */
import type { ChargePause } from '../../shared/contract/staff';
import { dateTime } from '../format';
import { words } from '../words';

const texts = words.charges;

/** Without a network and a service: all charges. */
export type Scope = Pick<ChargePause, 'network' | 'svc_id' | 'service'>;

export const ALL: Scope = { network: '', svc_id: 0, service: '' };

const serviceName = ({ service, svc_id }: Scope): string => service || String(svc_id);

/** `Charges on sandbox-pull`. */
export const scopeName = (scope: Scope): string =>
  scope.network
    ? texts.ofNetwork({ network: scope.network })
    : scope.svc_id
      ? texts.ofBrand({ brand: serviceName(scope) })
      : texts.all;

/** Which charges are paused, since when, by whom and why. */
export function pauseSentence(pause: ChargePause): string {
  const { network, svc_id, reason, made_by: by, since } = pause;
  const date = dateTime(since);
  if (network) return texts.networkPaused({ network, date, by, reason });
  return svc_id
    ? texts.brandPaused({ brand: serviceName(pause), date, by, reason })
    : texts.allPaused({ date, by, reason });
}
