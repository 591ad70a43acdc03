import type { RefundReply } from '../../shared/contract/staff';
import { rands } from '../format';
import { words } from '../words';

const texts = words.support.refundOutcomes;

/** What became of charges that were to be given back, in words. */
export function outcomeOf({ state, cents, refused }: RefundReply): string {
  const done = texts[state]({ cents: rands(cents) });
  const why = refused[0]?.why;
  return why ? `${done} ${texts.others({ count: refused.length, why })}` : done;
}
