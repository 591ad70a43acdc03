/** Joins, leaves and running subscriptions of a month's days as charts, and a month beside the month before. */
import type { Book, Line, SubscriberDay } from '../../shared/contract/staff';
import type { ChartPlace, Series } from '../ui/chart-style';
import { words } from '../words';
import { datesOf, money, placesOf, topGroups } from './figures';

const texts = words.finance.subscribers;

export const SUBSCRIBER_PLOTS = ['moves', 'running', 'brand', 'network', 'price'] as const;
export type SubscriberPlot = (typeof SUBSCRIBER_PLOTS)[number];

const GROUPS: Record<'brand' | 'network' | 'price', (day: SubscriberDay) => string> = {
  brand: ({ service }) => service,
  network: ({ network }) => network,
  price: ({ price_cents }) => money(price_cents),
};

type SubscriberDrawing = {
  places: ChartPlace[];
  series: Series[];
  kind: 'bars' | 'lines';
  /** What runs is a level: it is not added up over days. */
  level: boolean;
};

/** The newest day; empty where there is none. */
const lastOf = (days: SubscriberDay[]): string =>
  days
    .map(({ day }) => day)
    .sort()
    .at(-1) ?? '';

/** The value of each date; null for dates without one. */
const valuesOf = (dates: string[], days: SubscriberDay[], of: (day: SubscriberDay) => number | null) => {
  const sums = new Map<string, number>();
  for (const day of days) {
    const value = of(day);
    if (value !== null) sums.set(day.day, (sums.get(day.day) ?? 0) + value);
  }
  return dates.map(date => sums.get(date) ?? null);
};

/** The days of a month; days to come have no values, and days on which nothing was counted have no running subscriptions. */
export function subscriberPlotOf(
  { month, state }: Pick<Book, 'month' | 'state'>,
  days: SubscriberDay[],
  plot: SubscriberPlot,
): SubscriberDrawing {
  const dates = datesOf(month);
  const places = placesOf(dates);
  if (plot === 'moves') {
    const newest = lastOf(days);
    const values = (of: (day: SubscriberDay) => number) =>
      valuesOf(dates, days, of).map((value, index) =>
        value === null && (state !== 'running' || (dates[index] ?? '') <= newest) ? 0 : value,
      );
    return {
      places,
      kind: 'bars',
      level: false,
      series: [
        { name: texts.joins, values: values(({ joins }) => joins) },
        { name: texts.leaves, values: values(({ leaves }) => leaves) },
      ],
    };
  }
  const running = ({ running: subscriptions }: SubscriberDay) => subscriptions;
  const shown: [string, SubscriberDay[]][] =
    plot === 'running'
      ? [[texts.running, days]]
      : topGroups(days, GROUPS[plot], ({ running: subscriptions }) => subscriptions ?? 0);
  return {
    places,
    kind: 'lines',
    level: true,
    series: shown.map(([name, of]) => ({ name, values: valuesOf(dates, of, running) })),
  };
}

/** What is compared of a month. */
export type MonthSums = {
  charged: number;
  failed: number;
  given_back: number;
  net: number;
  /** Running subscriptions on its last counted day; null where none was counted. */
  running: number | null;
};

export type Comparison = {
  key: string;
  /** Undefined: all together. */
  group: { service: string; network: string; price_cents: number } | undefined;
  now: MonthSums;
  before: MonthSums;
};

type MonthData = { lines: Line[]; days: SubscriberDay[] };
type Group = { svc_id: number; service: string; network: string; price_cents: number };

const keyOf = ({ svc_id, network, price_cents }: Group): string => [svc_id, network, price_cents].join(' ');

const sumOf = (lines: Line[], of: (line: Line) => number): number =>
  lines.reduce((total, line) => total + of(line), 0);

/** The sums of a group of a month. */
function sumsOf({ lines, days }: MonthData, isOf: (group: Group) => boolean): MonthSums {
  const own = lines.filter(line => line.correction_of === null && isOf(line));
  const counted = days.filter(({ running }) => running !== null);
  const last = lastOf(counted);
  const running = counted.filter(day => day.day === last && isOf(day));
  return {
    charged: sumOf(own, ({ charged }) => charged.cents),
    failed: sumOf(own, ({ failed }) => failed.cents),
    given_back: sumOf(own, ({ given_back }) => given_back.cents),
    net: sumOf(own, ({ net_cents }) => net_cents),
    running: last === '' ? null : running.reduce((total, day) => total + (day.running ?? 0), 0),
  };
}

/** A month beside the one before: all together, then by brand, network and price. Corrections belong to other months and are left out. */
export function compareMonths(now: MonthData, before: MonthData): Comparison[] {
  const groups = new Map<string, Group>();
  const found = [now, before].flatMap(({ lines, days }): Group[] => [
    ...lines.filter(({ correction_of }) => correction_of === null),
    ...days.filter(({ running }) => running !== null && running > 0),
  ]);
  for (const group of found) if (!groups.has(keyOf(group))) groups.set(keyOf(group), group);
  const comparison = (key: string, group: Group | undefined): Comparison => {
    const isOf = (other: Group) => group === undefined || keyOf(other) === key;
    return { key, group, now: sumsOf(now, isOf), before: sumsOf(before, isOf) };
  };
  const sorted = [...groups].sort(
    ([, one], [, other]) =>
      one.service.localeCompare(other.service) ||
      one.network.localeCompare(other.network) ||
      one.price_cents - other.price_cents,
  );
  return [comparison('', undefined), ...sorted.map(([key, group]) => comparison(key, group))];
}
