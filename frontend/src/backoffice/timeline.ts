/** The timeline of a number: entries and notes together, newest first, filtered and grouped by day. */
import { isoDay } from './format';
import type { NumberRecord, TimelineEntry } from './types';
import { words } from './words';

export type Group = keyof typeof words.support.groups;
export type Filter = { group: Group; service: string; day: string };
export const NO_FILTER: Filter = { group: 'all', service: '', day: '' };

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

/** `key` counts from the oldest entry, so it stays when newer ones arrive. */
export type Entry = TimelineEntry & { key: number };

/** Entries and notes, newest first. Entries of the same second keep the server's order. */
export function entriesOf(record: Pick<NumberRecord, 'timeline' | 'notes'>): Entry[] {
  const notes = record.notes.map(({ at, by, kind, text }) => ({
    at,
    service: '',
    kind,
    text,
    detail: words.support.noteBy({ by }),
  }));
  const all: TimelineEntry[] = [...record.timeline, ...notes];
  return all
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map((entry, place) => ({ ...entry, key: all.length - place }));
}

export function filtered(entries: Entry[], { group, service, day }: Filter): Entry[] {
  return entries.filter(
    entry =>
      (group === 'all' || GROUP_OF[entry.kind] === group) &&
      (service === '' || entry.service === service) &&
      (day === '' || isoDay(entry.at) === day),
  );
}

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
