import { beforeEach, expect, test, vi } from 'vitest';
import { serveBrand, ttBrand } from '../../dev/brands';
import { countData, fileCounter, isCapReached, onMeterChange, readMeter, updateMeter } from './data-meter';

const KEY = 'spaza.data.mcfunny';
const MB = 1e6;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-25T10:00:00Z') });
  return () => vi.useRealTimers();
});

test('a new month starts at midnight in Johannesburg: it keeps the cap and resets bytes and watchOn', () => {
  vi.setSystemTime(new Date('2026-11-30T21:59:59Z'));
  updateMeter(() => ({ cap: 100, watchOn: true }));
  countData(120 * MB);
  expect(readMeter()).toEqual({ month: '2026-11', bytes: 120 * MB, cap: 100, watchOn: true });
  expect(isCapReached()).toBe(false);
  vi.setSystemTime(new Date('2026-11-30T22:00:00Z'));
  expect(readMeter()).toEqual({ month: '2026-12', bytes: 0, cap: 100 });
  countData(100 * MB);
  expect(isCapReached()).toBe(true);
});

test('each brand has a meter of its own', () => {
  countData(5 * MB);
  serveBrand(ttBrand);
  expect(readMeter().bytes).toBe(0);
});

test('isCapReached is false without a cap', () => {
  countData(5000 * MB);
  expect(isCapReached()).toBe(false);
});

test('readMeter treats invalid stored data as empty', () => {
  for (const kept of ['', 'nonsense', '{"month":"2026-11","cap":"x"}']) {
    localStorage.setItem(KEY, kept);
    expect(readMeter()).toMatchObject({ bytes: 0, cap: 0 });
  }
});

test('countData adds to the count of another tab, and its changes call listeners', () => {
  const listener = vi.fn();
  const leave = onMeterChange(listener);
  countData(1000);
  localStorage.setItem(KEY, JSON.stringify({ ...readMeter(), bytes: 5000 }));
  window.dispatchEvent(new StorageEvent('storage', { key: KEY }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'spaza.quality' }));
  expect(listener).toHaveBeenCalledTimes(2);
  countData(1000);
  expect(readMeter().bytes).toBe(6000);
  leave();
  countData(1000);
  expect(listener).toHaveBeenCalledTimes(3);
});

test('fileCounter counts each second once, even if it is buffered again', () => {
  let ranges: [number, number][] = [];
  const video = {
    duration: 9.5,
    get buffered() {
      return {
        length: ranges.length,
        start: (range: number) => ranges[range]?.[0],
        end: (range: number) => ranges[range]?.[1],
      };
    },
  } as unknown as HTMLVideoElement;
  const count = fileCounter(video, 1000);
  count();
  expect(readMeter().bytes).toBe(0);
  ranges = [[0, 2]];
  count();
  expect(readMeter().bytes).toBe(200);
  ranges = [
    [1, 3],
    [7, 8],
  ];
  count();
  expect(readMeter().bytes).toBe(400);
  ranges = [[0, 9.5]];
  count();
  count();
  expect(readMeter().bytes).toBe(1000);
});
