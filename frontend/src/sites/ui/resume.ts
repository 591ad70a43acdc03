/** Stores the playback position of each video on this phone. */
import { getLocalItem, setLocalItem } from './local-storage';

const KEY = 'spaza.resume';
const MAX_VIDEOS = 40;
/** Seconds: closer to the beginning or the end, no position is stored. */
const EDGE = 2;

/** What the "Continue watching" row shows of a film. */
export type Film = {
  to: string;
  title: string;
  /** Of the title, if it is a translation. */
  lang?: string | undefined;
  image: string;
  seconds: number;
  /** Demo hosts show several brands under one origin. */
  brand: string;
};

type Positions = [source: string, second: number, film?: Film][];

export function savedPositions(): Positions {
  try {
    const kept: unknown = JSON.parse(getLocalItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Positions) : [];
  } catch {
    return [];
  }
}

export const savePositions = (all: Positions): void => setLocalItem(KEY, JSON.stringify(all));

/** The second to resume from; 0: the beginning. */
export function savedPosition(source: string): number {
  return savedPositions().find(([each]) => each === source)?.[1] ?? 0;
}

/**
 * Stores the position of a video; the latest forty are kept. An unknown `duration` (NaN) changes nothing: the video had not loaded.
 * `film`: set if the home page has a "Continue watching" row.
 */
export function savePosition(source: string, second: number, duration: number, film?: Film): void {
  if (!(duration > 0)) return;
  const others = savedPositions().filter(([each]) => each !== source);
  const isUnfinished = second > EDGE && second < duration - EDGE;
  const kept: Positions = isUnfinished ? [[source, Math.floor(second), film], ...others] : others;
  savePositions(kept.slice(0, MAX_VIDEOS));
}

/** Whether this phone has stored any position. */
export const hasSavedPositions = (): boolean => getLocalItem(KEY) !== null;
