/** Months, percentages and sums of days. */

import type {
  Book,
  ContractTerm,
  Figures,
  Line,
  MonthState,
  Share,
  Sum,
  Terms,
} from '../../shared/contract/staff';
import type { ChartPlace, Series } from '../ui/chart-style';
import { words } from '../words';

const MONTH = new Intl.DateTimeFormat(words.locale, { timeZone: 'UTC', month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat(words.locale, {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** `October 2026`, of `2026-10`. */
export const monthName = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** `2026-09`, of `2026-10`. */
export function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7);
}

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

export const PLOTS = ['charged', 'failed', 'brand', 'network', 'price'] as const;
export type Plot = (typeof PLOTS)[number];

/** More lines are one. */
const MOST_LINES = 6;

/** The days of a month. */
export function datesOf(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Array.from(
    { length: new Date(Date.UTC(year, number, 0)).getUTCDate() },
    (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`,
  );
}

export const placesOf = (dates: string[]): ChartPlace[] =>
  dates.map((date, index) => ({ name: dayName(date), mark: String(index + 1) }));

/** The largest groups, and the rest as one. */
export function topGroups<Row>(
  rows: Row[],
  groupOf: (row: Row) => string,
  sizeOf: (row: Row) => number,
): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groupOf(row);
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  const size = (of: Row[]) => of.reduce((total, row) => total + sizeOf(row), 0);
  const largest = [...groups].sort(([, one], [, other]) => size(other) - size(one));
  const shown = largest.length > MOST_LINES ? largest.slice(0, MOST_LINES - 1) : largest;
  const others = largest.slice(shown.length).flatMap(([, of]) => of);
  if (others.length > 0) shown.push([words.finance.books.others, others]);
  return shown;
}

const GROUPS: Record<'brand' | 'network' | 'price', (line: Line) => string> = {
  brand: ({ service }) => service,
  network: ({ network }) => network,
  price: ({ price_cents }) => money(price_cents),
};

/** The days of a month as a chart. Corrections are of other months' days and left out; days to come have no values. */
export function plotOf(
  { month, state, days }: Pick<Book, 'month' | 'state' | 'days'>,
  plot: Plot,
): { places: ChartPlace[]; series: Series[]; kind: 'bars' | 'lines' } {
  const texts = words.finance.books;
  const lines = days.filter(({ correction_of }) => correction_of === null);
  const dates = datesOf(month);
  const places = placesOf(dates);
  const newest =
    lines
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? '';
  const values = (of: (line: Line) => number, among: Line[] = lines): Series['values'] => {
    const sums = new Map<string, number>();
    for (const line of among) sums.set(line.day, (sums.get(line.day) ?? 0) + of(line));
    return dates.map(date => sums.get(date) ?? (state === 'running' && date > newest ? null : 0));
  };
  if (plot === 'charged')
    return {
      places,
      kind: 'bars',
      series: [
        { name: texts.charged, values: values(({ charged }) => charged.cents) },
        { name: texts.givenBack, values: values(({ given_back }) => given_back.cents) },
      ],
    };
  if (plot === 'failed')
    return {
      places,
      kind: 'bars',
      series: [{ name: texts.failed, values: values(({ failed }) => failed.cents) }],
    };
  const shown = topGroups(lines, GROUPS[plot], ({ income_cents }) => income_cents);
  return {
    places,
    kind: 'lines',
    series: shown.map(([name, of]) => ({ name, values: values(({ income_cents }) => income_cents, of) })),
  };
}

/** The terms that hold on a day or will hold later: of two for the same, the one that begins later replaces the other. */
export function inForce({ terms }: Pick<Terms, 'terms'>, today: string): ContractTerm[] {
  const keyOf = ({ network, svc_id, party }: ContractTerm) => `${network} ${svc_id} ${party}`;
  const current = new Map<string, ContractTerm>();
  for (const term of terms.filter(({ since }) => since <= today)) current.set(keyOf(term), term);
  const later = terms.filter(({ since }) => since > today);
  return [...current.values(), ...later]
    .filter(term => term.basis_points > 0 || term.since > today)
    .sort((one, other) => keyOf(one).localeCompare(keyOf(other)) || one.since.localeCompare(other.since));
}
