/** How much data playing has used this month on this phone, and the cap that the person sets. Each brand counts for itself. */
import { brand } from '../brand';
import { keep, recall } from './phone-memory';

const MB = 1e6;

type Meter = {
  /** "2026-11" on the calendar of Johannesburg, which is two hours ahead of UTC all year. */
  month: string;
  bytes: number;
  /** Megabytes, 0 = none. It outlives the month. */
  cap: number;
  /** The person watches on although the cap is reached, for the rest of the month. */
  watchOn?: boolean;
};

/** Demo hosts show several brands under one origin. */
const key = () => `spaza.data.${brand().label}`;

export function readMeter(now = Date.now()): Meter {
  const month = new Date(now + 7_200_000).toISOString().slice(0, 7);
  let kept: Partial<Meter> = {};
  try {
    kept = JSON.parse(recall(key()) ?? '{}') as Partial<Meter>;
  } catch {
    // Not ours: counting begins anew.
  }
  const cap = Number(kept.cap) || 0;
  return kept.month === month
    ? { month, bytes: kept.bytes ?? 0, cap, watchOn: kept.watchOn === true }
    : { month, bytes: 0, cap };
}

/** Read again before each change: another tab may have counted in the meantime. */
export function changeMeter(change: (meter: Meter) => Partial<Meter>): void {
  const meter = readMeter();
  keep(key(), JSON.stringify({ ...meter, ...change(meter) }));
  for (const told of listeners) told();
}

export const countData = (fetched: number): void =>
  changeMeter(({ bytes }) => ({ bytes: bytes + Math.round(fetched) }));

/** Whether so many bytes more may be fetched. */
export function hasRoomFor(more: number): boolean {
  const { bytes, cap, watchOn } = readMeter();
  return cap === 0 || watchOn === true || bytes + more < cap * MB;
}

export const isCapReached = (): boolean => !hasRoomFor(0);

const listeners = new Set<() => void>();

/** Tells of every change, in this tab or another. Answers how to stop. */
export function followMeter(told: () => void): () => void {
  const heard = (event: StorageEvent) => event.key === key() && told();
  listeners.add(told);
  window.addEventListener('storage', heard);
  return () => {
    listeners.delete(told);
    window.removeEventListener('storage', heard);
  };
}

/**
 * Counts a file, whose bytes the browser fetches by itself: each second of it that has ever been there costs its share. Answers what is to be
 * called as more of it comes.
 */
export function fileCounter(video: HTMLVideoElement, bytes: number | undefined): () => void {
  const counted = new Set<number>();
  return () => {
    const { buffered, duration } = video;
    if (!bytes || !(duration > 0)) return;
    const before = counted.size;
    for (let range = 0; range < buffered.length; range++)
      for (let second = Math.floor(buffered.start(range)); second < buffered.end(range); second++)
        counted.add(second);
    if (counted.size > before) countData(((counted.size - before) * bytes) / Math.ceil(duration));
  };
}
