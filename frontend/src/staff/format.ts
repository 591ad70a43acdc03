/** Money, times and numbers as text. Times are those of Johannesburg, where subscribers are. */
import { words } from './words';

const ZONE = { timeZone: 'Africa/Johannesburg' } as const;
const LOCALE = words.locale;

const TIME = new Intl.DateTimeFormat(LOCALE, {
  ...ZONE,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DAY = new Intl.DateTimeFormat(LOCALE, { ...ZONE, day: 'numeric', month: 'short', year: 'numeric' });
const LONG_DAY = new Intl.DateTimeFormat(LOCALE, {
  ...ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const ISO_DAY = new Intl.DateTimeFormat('en-CA', {
  ...ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** Cents as rands: `R3`, `R62.50`, `-R3`. */
export function rands(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = Math.abs(cents) % 100;
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
  return `${cents < 0 ? '-' : ''}R${grouped}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`;
}

/** `14:05`. */
export const time = (at: string): string => TIME.format(new Date(at));

/** `3 Nov 2026`. */
export const day = (at: string): string => DAY.format(new Date(at));

/** `3 Nov 2026 – 5 Nov 2026`, or one day. */
export const days = (first: string, last: string): string =>
  day(first) === day(last) ? day(first) : `${day(first)} – ${day(last)}`;

/** `Tuesday 3 November 2026`. */
export const longDay = (at: string): string => LONG_DAY.format(new Date(at));

/** `3 Nov 2026, 14:05`. */
export const dateTime = (at: string): string => `${day(at)}, ${time(at)}`;

/** `2026-11-03`, the value of a date field. */
export const isoDay = (at: string): string => ISO_DAY.format(new Date(at));

const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });

/** Cents as rands in few letters, for an axis: `R2.50`, `R1.2K`. */
export const shortMoney = (cents: number): string =>
  Math.abs(cents) < 1000_00
    ? rands(cents)
    : `${cents < 0 ? '-' : ''}R${COMPACT.format(Math.abs(cents) / 100)}`;

/** Groups a key by four characters, which is easier to copy by hand. */
export const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** A short name of a browser and system, from the User-Agent header. */
export function device(agent: string): string | undefined {
  const first = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = first([
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser/, 'Samsung Internet'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
    [/^curl\//, 'curl'],
  ]);
  const system = first([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS X/, 'macOS'],
    [/Linux/, 'Linux'],
  ]);
  return browser && system ? `${browser}, ${system}` : (browser ?? system);
}
