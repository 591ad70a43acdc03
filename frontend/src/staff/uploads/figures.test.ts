import { expect, test } from 'vitest';
import { lengthText, remainingText, sizeText, speedOf } from './figures';

test('the speed is that of the last seconds', () => {
  const samples = [
    { at: 0, sent: 0 },
    { at: 10_000, sent: 1_000_000 },
    { at: 12_000, sent: 3_000_000 },
  ];
  expect(speedOf(samples)).toBe(1_000_000);
  expect(samples).toHaveLength(2);
  expect(speedOf([])).toBe(0);
  expect(speedOf([{ at: 5, sent: 1 }])).toBe(0);
});

test('sizes and remaining times are in words', () => {
  expect([sizeText(1_234_567), sizeText(250_000_000), sizeText(8_589_934_592)]).toEqual([
    '1.2 MB',
    '250 MB',
    '8.6 GB',
  ]);
  expect([5, 125, 6307].map(lengthText)).toEqual(['0:05', '2:05', '1:45:07']);
  expect(remainingText(100, 0)).toBeUndefined();
  expect(remainingText(100, 100)).toBe('1 second left');
  expect(remainingText(3000, 100)).toBe('30 seconds left');
  expect(remainingText(12_000, 100)).toBe('2 minutes left');
  expect(remainingText(400_000, 100)).toBe('1 h 7 min left');
});
