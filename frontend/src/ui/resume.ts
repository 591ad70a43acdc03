/** Remembers on this phone where a video was left. */
import { keep, recall } from './phone-memory';

const KEY = 'spaza.resume';
const MOST = 40;
/** Seconds: a video played for less has not begun, and one with less to go has ended. */
const EDGE = 2;

/** What a home page needs to offer it again. */
export type Film = {
  to: string;
  title: string;
  image: string;
  seconds: number;
  /** Demo hosts show several brands under one origin. */
  brand: string;
};

type Places = [source: string, second: number, film?: Film][];

export function places(): Places {
  try {
    const kept: unknown = JSON.parse(recall(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Places) : [];
  } catch {
    return [];
  }
}

export const keepPlaces = (all: Places): void => keep(KEY, JSON.stringify(all));

/** The second to go on from; 0 = the beginning. */
export function leftAt(source: string): number {
  return places().find(([each]) => each === source)?.[1] ?? 0;
}

/**
 * Keeps the latest forty videos. A `duration` that is not known yet (NaN) changes nothing: the video was not there to be watched.
 * `film`: where a home page offers it.
 */
export function leaveAt(source: string, second: number, duration: number, film?: Film): void {
  if (!(duration > 0)) return;
  const others = places().filter(([each]) => each !== source);
  const begun = second > EDGE && second < duration - EDGE;
  const kept: Places = begun ? [[source, Math.floor(second), film], ...others] : others;
  keepPlaces(kept.slice(0, MOST));
}

/** Whether this phone remembers any video. */
export const hasPlaces = (): boolean => recall(KEY) !== null;
