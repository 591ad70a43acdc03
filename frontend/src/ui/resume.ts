/** Remembers on this phone where a video was left. */
import { keep, recall } from './phone-memory';

const KEY = 'spaza.resume';
const MOST = 40;
/** Seconds: a video played for less has not begun, and one with less to go has ended. */
const EDGE = 2;

type Places = [source: string, second: number][];

function places(): Places {
  try {
    const kept: unknown = JSON.parse(recall(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Places) : [];
  } catch {
    return [];
  }
}

/** The second to go on from; 0 = the beginning. */
export function leftAt(source: string): number {
  return places().find(([each]) => each === source)?.[1] ?? 0;
}

/** Keeps the latest forty videos. A `duration` that is not known yet (NaN) changes nothing: the video was not there to be watched. */
export function leaveAt(source: string, second: number, duration: number): void {
  if (!(duration > 0)) return;
  const others = places().filter(([each]) => each !== source);
  const begun = second > EDGE && second < duration - EDGE;
  keep(KEY, JSON.stringify((begun ? [[source, Math.floor(second)], ...others] : others).slice(0, MOST)));
}
