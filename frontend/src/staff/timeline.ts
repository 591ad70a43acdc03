/** The timeline of a number: entries and notes together, newest first, filtered and grouped by day. */
import type { NumberRecord, TimelineEntry } from '../shared/contract/staff';
import { isoDay } from './format';
import { words } from './words';

export type Group = keyof typeof words.support.groups;
export type Filter = { group: Group; service: string; day: string; since: string };
export const NO_FILTER: Filter = { group: 'all', service: '', day: '', since: '' };

const GROUP_OF: Record<string, Group> = {
  charge: 'money',
  failure: 'money',
  refund: 'money',
  join: 'membership',
  leave: 'membership',
  state: 'membership',
  consent: 'membership',
  message: 'messages',
  session: 'membership',
  note: 'notes',
  complaint: 'notes',
};

/** Of the service's entry, what a note has too is needed. */
type Shown = Pick<TimelineEntry, 'at' | 'service' | 'kind' | 'text'> & Partial<TimelineEntry>;
type Account = { timeline: Shown[]; notes: NumberRecord['notes'] };

/** `key` stays the same when the record is read again. */
export type Entry = Shown & { key: string };

/** Entries and notes, newest first. Entries of the same second keep the server's order. */
export function entriesOf(record: Account): Entry[] {
  const notes = record.notes.map(({ at, by, kind, text }) => ({
    at,
    service: '',
    kind,
    text,
    detail: words.support.noteBy({ by }),
  }));
  const all: Shown[] = [...record.timeline, ...notes];
  const same = new Map<string, number>();
  // Equal entries are counted from the oldest on, since newer ones arrive.
  return all
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .reverse()
    .map(entry => {
      const facts = [entry.at, entry.kind, entry.service, entry.text].join(' ');
      const number = (same.get(facts) ?? 0) + 1;
      same.set(facts, number);
      return { ...entry, key: `${facts} ${number}` };
    })
    .reverse();
}

/** The entries of a later reading that the one before does not have. */
export function newEntries(before: Account, after: Account): Entry[] {
  const known = new Set(entriesOf(before).map(({ key }) => key));
  return entriesOf(after).filter(({ key }) => !known.has(key));
}

/** With the consents of the charges among them, which may be older. */
export function filtered(entries: Entry[], { group, service, day, since }: Filter): Entry[] {
  const inTime = entries.filter(
    entry =>
      (service === '' || entry.service === service) &&
      (day === '' || isoDay(entry.at) === day) &&
      isoDay(entry.at) >= since,
  );
  const shown = new Set(inTime.filter(entry => group === 'all' || GROUP_OF[entry.kind] === group));
  const reasons = new Set(inTime.map(entry => entry.why && entry.consent));
  const hasReasons = group !== 'messages' && group !== 'notes';
  return entries.filter(
    entry =>
      shown.has(entry) ||
      (hasReasons && entry.kind === 'consent' && !!entry.consent && reasons.has(entry.consent)),
  );
}

/** A charge that can be given back. */
export type Refundable = Entry & { ledger_id: number; open_cents: number };
export const isRefundable = (entry: Entry): entry is Refundable =>
  entry.refundable === true && !!entry.ledger_id && !!entry.open_cents;
export const sumOf = (charges: Refundable[]): number =>
  charges.reduce((sum, { open_cents }) => sum + open_cents, 0);

/** Consecutive entries of a Johannesburg day. */
export function byDay(entries: Entry[]): { day: string; entries: Entry[] }[] {
  const days: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const day = isoDay(entry.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

export const servicesOf = (entries: Entry[]): string[] =>
  [...new Set(entries.map(({ service }) => service))].filter(Boolean).sort();
