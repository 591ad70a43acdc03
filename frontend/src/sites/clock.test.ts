import { expect, test } from 'vitest';
import afrikaans from '../../languages/af.toml';
import { apiTime, durationAndSize, longDate, plainDate } from './clock';

test('longDate formats a date as "5 MARCH, 2024"', () => {
  expect(longDate('2024-03-05 10:00:00')).toBe('5 MARCH, 2024');
  expect(longDate('2026-12-31 00:00:00')).toBe('31 DECEMBER, 2026');
  expect(longDate('2026-13-31 00:00:00')).toBe('2026-13-31 00:00:00');
  expect(longDate('soon')).toBe('soon');
  expect(plainDate('2026-11-01 08:12:00')).toBe('1 November 2026');
});

test('dates are those of Johannesburg', () => {
  expect(plainDate('2026-11-23 23:10:00')).toBe('24 November 2026');
  expect(plainDate('2026-11-23 21:59:59')).toBe('23 November 2026');
  expect(longDate('2024-02-28 22:00:00')).toBe('29 FEBRUARY, 2024');
  expect(longDate('2026-12-31 22:00:00')).toBe('1 JANUARY, 2027');
  // A day by itself, such as that of the next charge, is one of Johannesburg already.
  expect(plainDate('2026-11-22')).toBe('22 November 2026');
});

test('apiTime formats a time as YYYY-MM-DD HH:MM:SS', () => {
  expect(apiTime(new Date('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02 03:04:05');
});

test('durationAndSize formats minutes and megabytes', () => {
  expect(durationAndSize(65, 2_340_000)).toBe('1:05 · 2.3 MB');
  expect(durationAndSize(59.7)).toBe('1:00');
  expect(durationAndSize(6307)).toBe('1:45:07');
  expect(durationAndSize(3599.6)).toBe('1:00:00');
  expect(durationAndSize(undefined, 10)).toBe('0.1 MB');
  expect(durationAndSize()).toBe('');
});

test("months and the decimal sign are the language's", () => {
  Object.assign(globalThis, { MESSAGES: afrikaans });
  expect(plainDate('2024-03-05 10:00:00')).toBe('5 Maart 2024');
  expect(longDate('2024-03-05 10:00:00')).toBe('5 MAART, 2024');
  expect(durationAndSize(65, 2_300_000)).toBe('1:05 · 2,3 MB');
});
