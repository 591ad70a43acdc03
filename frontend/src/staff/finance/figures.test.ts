/** Percentages, amounts, months, the sums of days, and the terms that hold. */

import { expect, test } from 'vitest';
import type { ContractTerm, Figures, Line, MonthState } from '../../shared/contract/staff';
import {
  basisPoints,
  byDay,
  dayName,
  inForce,
  money,
  monthName,
  monthToShow,
  percent,
  plotOf,
} from './figures';

const none = { entries: 0, cents: 0 };
const figures = (charged: number): Figures => ({
  charged: { entries: charged, cents: charged * 300 },
  failed: none,
  given_back: none,
  open: none,
  income_cents: charged * 300,
  vat_cents: charged * 39,
  net_cents: charged * 261,
  shares: [{ party: 'Network', cents: charged * 131 }],
  own_cents: charged * 130,
});
const line = (day: string, charged: number, correction_of: string | null = null): Line => ({
  ...figures(charged),
  day,
  svc_id: 150,
  service: 'memeworld',
  network: 'pull',
  price_cents: 300,
  correction_of,
});

test('a percentage is hundredths of a percent, with point or comma', () => {
  expect(['50', '12.5', '12,05', '0', '100 %', ' 7 '].map(basisPoints)).toEqual([
    5000, 1250, 1205, 0, 10_000, 700,
  ]);
  expect(['', 'x', '101', '1.234', '-1', '1e2'].map(basisPoints)).toEqual(Array(6).fill(undefined));
  expect([percent(1250), percent(0)]).toEqual(['12.5\u00a0%', '0\u00a0%']);
});

test('amounts have cents and groups of thousands', () => {
  expect([0, 5, -300, 123_450, 100_000_001].map(money)).toEqual([
    'R0.00',
    'R0.05',
    '-R3.00',
    'R1\u00a0234.50',
    'R1\u00a0000\u00a0000.01',
  ]);
});

test('months and days have names, and the oldest open month is shown first', () => {
  expect([monthName('2026-10'), dayName('2026-10-01')]).toEqual(['October 2026', 'Thu 1 Oct']);
  const month = (name: string, state: MonthState['state']) => ({ month: name, state, closed: null });
  const months = [month('2026-12', 'running'), month('2026-11', 'over'), month('2026-10', 'over')];
  expect(monthToShow(months)).toBe('2026-10');
  expect(monthToShow(months.slice(0, 1))).toBe('2026-12');
  expect(monthToShow([])).toBe('');
});

test('lines of a day are one entry, corrections another', () => {
  const days = byDay([
    line('2026-10-02', 1),
    line('2026-10-01', 2),
    line('2026-10-02', 3),
    line('2026-09-30', 1, '2026-09'),
  ]);
  expect(days.map(({ day, correction }) => [day, correction])).toEqual([
    ['2026-09-30', true],
    ['2026-10-01', false],
    ['2026-10-02', false],
  ]);
  expect(days[2]?.figures).toMatchObject(figures(4));
});

test('the terms in force are the newest of each, and those to come', () => {
  const term = (id: number, party: string, basis_points: number, since: string): ContractTerm => ({
    id,
    network: 'pull',
    svc_id: 0,
    party,
    basis_points,
    since,
    by: '',
    at: '',
  });
  const terms = [
    term(1, 'Network', 5000, '2026-01-01'),
    term(2, 'Agent', 1000, '2026-01-01'),
    term(3, 'Network', 4500, '2026-06-01'),
    term(4, 'Agent', 0, '2026-07-01'),
    term(5, 'Network', 4000, '2027-01-01'),
  ];
  expect(inForce({ terms }, '2026-08-01').map(({ id }) => id)).toEqual([3, 5]);
  expect(inForce({ terms }, '2026-02-01').map(({ id }) => id)).toEqual([2, 4, 1, 3, 5]);
});

test('a plot has every day of its month, without corrections, and nothing after today', () => {
  const days = [line('2026-10-02', 4), line('2026-10-02', 1), line('2026-09-30', 9, '2026-09')];
  const over = plotOf({ month: '2026-10', state: 'over', days }, 'charged');
  expect(over.places).toHaveLength(31);
  expect(over.places[1]).toEqual({ name: 'Fri 2 Oct', mark: '2' });
  expect(over.series.map(({ name, values }) => [name, values.slice(0, 3)])).toEqual([
    ['Charged', [0, 1500, 0]],
    ['Given back', [0, 0, 0]],
  ]);
  const running = plotOf({ month: '2026-10', state: 'running', days }, 'failed');
  expect(running.series[0]?.values.slice(0, 4)).toEqual([0, 0, null, null]);
});

test('a plot by brand has the largest first, and one line for those beyond six', () => {
  const days = [7, 6, 5, 4, 3, 2, 1].map(charged => ({
    ...line('2026-10-01', charged),
    service: `brand ${charged}`,
  }));
  const { kind, series } = plotOf({ month: '2026-10', state: 'over', days }, 'brand');
  expect(kind).toBe('lines');
  expect(series.map(({ name, values }) => [name, values[0]])).toEqual([
    ['brand 7', 2100],
    ['brand 6', 1800],
    ['brand 5', 1500],
    ['brand 4', 1200],
    ['brand 3', 900],
    ['Others', 900],
  ]);
});
