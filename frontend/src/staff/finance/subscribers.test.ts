/** The charts of subscribers, and two months beside each other. */

import { expect, test } from 'vitest';
import type { Line, SubscriberDay } from '../../shared/contract/staff';
import { monthBefore } from './figures';
import { compareMonths, subscriberPlotOf } from './subscribers';

const day = (
  date: string,
  service: string,
  running: number | null,
  moves: [joins: number, leaves: number] = [0, 0],
): SubscriberDay => ({
  day: date,
  svc_id: service === 'tt' ? 152 : 150,
  service,
  network: 'pull',
  price_cents: 300,
  joins: moves[0],
  leaves: moves[1],
  running,
});

const line = (service: string, cents: number, correction_of: string | null = null): Line => {
  const sum = { entries: cents / 300, cents };
  const none = { entries: 0, cents: 0 };
  return {
    day: '',
    svc_id: service === 'tt' ? 152 : 150,
    service,
    network: 'pull',
    price_cents: 300,
    correction_of,
    charged: sum,
    failed: none,
    given_back: none,
    open: none,
    income_cents: cents,
    vat_cents: 0,
    net_cents: cents,
    shares: [],
    own_cents: cents,
  };
};

test('the month before January is December', () => {
  expect([monthBefore('2026-10'), monthBefore('2027-01')]).toEqual(['2026-09', '2026-12']);
});

test('moves are bars of each day, and days to come have no values', () => {
  const days = [
    day('2026-11-01', 'tt', 5, [2, 1]),
    day('2026-11-01', 'meme', 1, [1, 0]),
    day('2026-11-03', 'tt', 5),
  ];
  const { series, level } = subscriberPlotOf({ month: '2026-11', state: 'running' }, days, 'moves');
  expect(level).toBe(false);
  expect(series.map(({ values }) => values.slice(0, 4))).toEqual([
    [3, 0, 0, null],
    [1, 0, 0, null],
  ]);
  const over = subscriberPlotOf({ month: '2026-11', state: 'over' }, days, 'moves');
  expect(over.series[0]?.values).toHaveLength(30);
  expect(over.series[0]?.values.at(-1)).toBe(0);
});

test('running subscriptions are added up over brands and not over days, and a day that was not counted is a gap', () => {
  const days = [
    day('2026-11-01', 'tt', 5),
    day('2026-11-01', 'meme', 1),
    day('2026-11-02', 'tt', null),
    day('2026-11-03', 'tt', 7),
  ];
  const month = { month: '2026-11', state: 'running' } as const;
  expect(subscriberPlotOf(month, days, 'running').series[0]?.values.slice(0, 4)).toEqual([6, null, 7, null]);
  const byBrand = subscriberPlotOf(month, days, 'brand').series;
  expect(byBrand.map(({ name, values }) => [name, values.slice(0, 3)])).toEqual([
    ['tt', [5, null, 7]],
    ['meme', [1, null, null]],
  ]);
  expect(subscriberPlotOf(month, days, 'price').series.map(({ name }) => name)).toEqual(['R3.00']);
});

test('two months are compared in all and by brand, network and price, without corrections', () => {
  const now = {
    lines: [line('tt', 900), line('tt', 300, '2026-09')],
    days: [day('2026-11-01', 'tt', 5), day('2026-11-02', 'tt', 4)],
  };
  const before = {
    lines: [line('meme', 600)],
    days: [day('2026-10-31', 'meme', 2), day('2026-10-31', 'tt', 0)],
  };
  const rows = compareMonths(now, before);
  expect(rows.map(({ group, now, before }) => [group?.service, now.charged, before.charged])).toEqual([
    [undefined, 900, 600],
    ['meme', 0, 600],
    ['tt', 900, 0],
  ]);
  expect(rows.map(({ now, before }) => [now.running, before.running])).toEqual([
    [4, 2],
    [0, 2],
    [4, 0],
  ]);
  expect(compareMonths({ lines: [], days: [] }, before)[0]?.now.running).toBeNull();
});
