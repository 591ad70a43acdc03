/** Times as the API writes them ("YYYY-MM-DD HH:MM:SS", UTC) and as people read them. */

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "5 MARCH, 2024". Text that is no date comes back unchanged. */
export function longDate(time: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(time) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name && year ? `${Number(day)} ${name.toUpperCase()}, ${year}` : time;
}

/** "5 March 2024", for running text. */
export function plainDate(time: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(time) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name && year ? `${Number(day)} ${name} ${year}` : time;
}

/** Now, as the API wants it. */
export function apiTime(now = new Date()): string {
  return now.toISOString().slice(0, 19).replace('T', ' ');
}

/** "1:05 · 2.3 MB": data is dear, so a card says what a tap costs. */
export function weight(seconds?: number, bytes?: number): string {
  const parts: string[] = [];
  if (seconds) parts.push(`${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`);
  if (bytes) parts.push(`${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`);
  return parts.join(' · ');
}
