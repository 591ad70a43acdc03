/** How long something has lasted, in words. */
import { words } from '../words';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `5 minutes`, `3 hours`, `2 days`. */
export function duration(seconds: number): string {
  const { minute, minutes, hours, days } = words.overview;
  if (seconds < 2 * MINUTE) return minute;
  if (seconds < 2 * HOUR) return minutes({ minutes: Math.floor(seconds / MINUTE) });
  if (seconds < 2 * DAY) return hours({ hours: Math.floor(seconds / HOUR) });
  return days({ days: Math.floor(seconds / DAY) });
}
