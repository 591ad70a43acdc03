/** Lines of captions as a person edits them: times as text, and WebVTT made of them. */

import type { CaptionLine } from '../../shared/contract/staff';

/** A line in the form. */
export type TypedLine = { start: string; end: string; settings: string; text: string };

const TIME = /^(?:(\d{1,2}):)?([0-5]?\d):([0-5]?\d(?:[.,]\d{1,3})?)$/;

/** Seconds of a time such as `1:02.5` or `0:01:02.500`; undefined where it is none. */
export function secondsOf(text: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds = '0'] = TIME.exec(text.trim()) ?? [undefined, 'none'];
  if (hours === 'none') return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
}

/** Seconds as WebVTT has them, `01:02.500`, or `01:00:02.500` from an hour on. */
export function timeOf(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (of: number, digits = 2) => String(Math.floor(of)).padStart(digits, '0');
  const hours = ms < 3_600_000 ? '' : `${part(ms / 3_600_000)}:`;
  return `${hours}${part((ms / 60_000) % 60)}:${part((ms / 1000) % 60)}.${part(ms % 1000, 3)}`;
}

export const typed = ({ start, end, ...line }: CaptionLine): TypedLine => ({
  ...line,
  start: timeOf(start),
  end: timeOf(end),
});

/** The line after another one: it begins where that one ends, and lasts two seconds. */
export function lineAfter(before: TypedLine | undefined): TypedLine {
  const start = secondsOf(before?.end ?? '') ?? 0;
  return { start: timeOf(start), end: timeOf(start + 2), settings: '', text: '' };
}

/** A blank line or an arrow would end the text. */
const asText = (text: string): string =>
  text
    .split('\n')
    .map(row => row.trimEnd().replaceAll('-->', '→'))
    .filter(row => row !== '')
    .join('\n');

/** Lines without a fault as WebVTT. */
export const webVtt = (lines: TypedLine[]): string =>
  `WEBVTT\n${lines
    .map(({ start, end, settings, text }) => {
      const [from = 0, to = 0] = [secondsOf(start), secondsOf(end)];
      return `\n${`${timeOf(from)} --> ${timeOf(to)} ${settings}`.trimEnd()}\n${asText(text)}\n`;
    })
    .join('')}`;
