import { expect, test } from 'vitest';
import { lineAfter, secondsOf, timeOf, typed, webVtt } from './lines';

test.each([
  ['1:02.5', 62.5],
  ['00:01:02.500', 62.5],
  ['0:1,25', 1.25],
  [' 12:34:56.789 ', 45_296.789],
  ['59:60', undefined],
  ['7', undefined],
  ['', undefined],
  ['-1:00', undefined],
])('the time %j has %s seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test('times keep thousandths, and are carried over', () => {
  expect([0, 59.9996, 3661.001, 45_296.789].map(timeOf)).toEqual([
    '00:00.000',
    '01:00.000',
    '01:01:01.001',
    '12:34:56.789',
  ]);
});

test('lines are written as WebVTT, without what would end a text', () => {
  const first = typed({ start: 1.5, end: 2, settings: 'align:start', text: 'Heita!' });
  const second = { ...lineAfter(first), text: 'See -->\n\n there ' };
  expect(webVtt([first, second])).toBe(
    'WEBVTT\n\n00:01.500 --> 00:02.000 align:start\nHeita!\n\n00:02.000 --> 00:04.000\nSee →\n there\n',
  );
});
