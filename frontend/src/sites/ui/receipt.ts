/** The days of the receipt: what was charged and given back, from the server, and what was watched, from this phone. */
import type { ReceiptEntry } from '../../shared/contract/sites';
import { address } from '../api/client';
import { ownListQuery } from '../api/list';
import type { WatchedDay } from './watched-days';

export const receiptQuery = ownListQuery(address('GET /api/subscribe/receipt'));

export type ReceiptDay = { day: string; entries: ReceiptEntry[]; watched: WatchedDay | undefined };

/** The latest day first. Days before the last loaded entry follow with the next page. `isWhole`: there is no next page. */
export function receiptDays(entries: ReceiptEntry[], watched: WatchedDay[], isWhole: boolean): ReceiptDay[] {
  const last = entries[entries.length - 1]?.day ?? '9';
  const shown = watched.filter(({ day }) => isWhole || day >= last);
  const days = new Set([...entries, ...shown].map(({ day }) => day));
  return [...days]
    .sort()
    .reverse()
    .map(day => ({
      day,
      entries: entries.filter(entry => entry.day === day),
      watched: shown.find(each => each.day === day),
    }));
}
