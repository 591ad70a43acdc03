/** Months, percentages and sums of days. */
import { words } from '../words';
import type { Figures, Line, MonthState, Share, Sum, Term, Terms } from './types';

const MONTH = new Intl.DateTimeFormat(words.locale, { timeZone: 'UTC', month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat(words.locale, {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** `October 2026`, of `2026-10`. */
export const monthName = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** `Thu 1 Oct`, of `2026-10-01`. */
export const dayName = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`)).replace(',', '');

/** The oldest month that waits to be closed; the list is newest first. */
export const monthToClose = (months: MonthState[]): string | undefined =>
  months.filter(({ state }) => state === 'over').at(-1)?.month;

/** The month that is looked at first: the one that waits to be closed, or else the newest. */
export const monthToShow = (months: MonthState[]): string => monthToClose(months) ?? months[0]?.month ?? '';

/** `12.5 %`, of hundredths of a percent. */
export const percent = (basisPoints: number): string => `${basisPoints / 100}\u00a0%`;

/** Hundredths of a percent, of `12.5` or `12,5`; undefined where it is no percentage with two decimals at most. */
export function basisPoints(text: string): number | undefined {
  const match = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim());
  if (!match) return undefined;
  const points = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return points <= 10_000 ? points : undefined;
}

const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, '\u00a0');

/** `3 475 721`; `-1`. */
export const count = (entries: number): string => `${entries < 0 ? '-' : ''}${grouped(Math.abs(entries))}`;

/** Cents as rands, always with cents, so that columns of them line up: `-R1 234.50`. */
export function money(cents: number): string {
  const whole = grouped(Math.trunc(Math.abs(cents) / 100));
  return `${cents < 0 ? '-' : ''}R${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

const added = (one: Sum, other: Sum): Sum => ({
  entries: one.entries + other.entries,
  cents: one.cents + other.cents,
});

function addedShares(one: Share[], other: Share[]): Share[] {
  const sums = new Map<string, number>();
  for (const { party, cents } of [...one, ...other]) sums.set(party, (sums.get(party) ?? 0) + cents);
  return [...sums].map(([party, cents]) => ({ party, cents }));
}

const total = (one: Figures, other: Figures): Figures => ({
  charged: added(one.charged, other.charged),
  failed: added(one.failed, other.failed),
  given_back: added(one.given_back, other.given_back),
  open: added(one.open, other.open),
  income_cents: one.income_cents + other.income_cents,
  vat_cents: one.vat_cents + other.vat_cents,
  net_cents: one.net_cents + other.net_cents,
  shares: addedShares(one.shares, other.shares),
  own_cents: one.own_cents + other.own_cents,
});

export type Day = { day: string; correction: boolean; figures: Figures };

/** One entry a day, oldest first; corrections of closed months are entries of their own. */
export function byDay(lines: Line[]): Day[] {
  const days = new Map<string, Day>();
  for (const line of lines) {
    const correction = line.correction_of !== null;
    const key = `${line.day} ${correction}`;
    const known = days.get(key);
    days.set(key, { day: line.day, correction, figures: known ? total(known.figures, line) : line });
  }
  return [...days.values()].sort((one, other) => one.day.localeCompare(other.day));
}

/** The terms that hold on a day or will hold later: of two for the same, the one that begins later replaces the other. */
export function inForce({ terms }: Pick<Terms, 'terms'>, today: string): Term[] {
  const keyOf = ({ network, svc_id, party }: Term) => `${network} ${svc_id} ${party}`;
  const current = new Map<string, Term>();
  for (const term of terms.filter(({ since }) => since <= today)) current.set(keyOf(term), term);
  const later = terms.filter(({ since }) => since > today);
  return [...current.values(), ...later]
    .filter(term => term.basis_points > 0 || term.since > today)
    .sort((one, other) => keyOf(one).localeCompare(keyOf(other)) || one.since.localeCompare(other.since));
}
