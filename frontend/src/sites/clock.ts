/** Converts the API's times ("YYYY-MM-DD HH:MM:SS", UTC) to dates in South Africa and back. */
import { decimal, t } from './messages';

/** South Africa has no daylight saving, so no Intl is needed: QuickJS, which renders on the server, has none, and many phones lack its months. */
const HOURS_AHEAD_OF_UTC = 2;

/** "5 MARCH, 2024". Text that is not a date is returned unchanged. */
export function longDate(time: string): string {
  const { day, month, year } = dayOf(time) ?? {};
  return month ? `${day} ${month.toUpperCase()}, ${year}` : time;
}

/** "5 March 2024", for running text. */
export function plainDate(time: string): string {
  const { day, month, year } = dayOf(time) ?? {};
  return month ? `${day} ${month} ${year}` : time;
}

/** "5 March": of the day that is this many days after today in Johannesburg. */
export function dayFromNow(days: number): string {
  const { day, month } = dayOf(apiTime(new Date(Date.now() + days * 86_400_000))) ?? {};
  return `${day} ${month}`;
}

/** "2026-11-29": the day in Johannesburg. */
export const today = (now = Date.now()): string =>
  new Date(now + HOURS_AHEAD_OF_UTC * 3_600_000).toISOString().slice(0, 10);

/** The year in Johannesburg. */
export const thisYear = (): number => Number(today().slice(0, 4));

/** The calendar day in Johannesburg. A date without a time is already local. */
function dayOf(time: string): { day: number; month: string; year: number } | undefined {
  const found = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})(?:[ T](\d{2}))?/.exec(time);
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1, hour] = found.slice(1).map(part => part && Number(part)) as number[];
  const local = new Date(Date.UTC(year, month - 1, day, hour === undefined ? 0 : hour + HOURS_AHEAD_OF_UTC));
  return {
    day: local.getUTCDate(),
    month: t('months').split(' ')[local.getUTCMonth()] ?? '',
    year: local.getUTCFullYear(),
  };
}

/** The current time in the API's format. */
export function apiTime(now = new Date()): string {
  return now.toISOString().slice(0, 19).replace('T', ' ');
}

/** "1:05", from an hour on "1:45:07". */
function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (of: number) => String(of).padStart(2, '0');
  return `${hours ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`;
}

/** "1:05 · 2.3 MB": mobile data is expensive, so cards show a video's duration and size. */
export function durationAndSize(seconds?: number, bytes?: number): string {
  const parts: string[] = [];
  if (seconds) parts.push(duration(Math.round(seconds)));
  if (bytes) parts.push(`${decimal(Math.max(0.1, bytes / 1e6), 1)} MB`);
  return parts.join(' · ');
}
