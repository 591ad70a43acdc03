/** What the rows of a page share: the beat in which they move together, and one pause, whose button is in the first of them. */

import { useEffect, useSyncExternalStore } from 'react';
import { getSessionItem, setSessionItem } from '../../shared/session-storage';

const BEAT_MS = 3000;

const moving = new Set<() => void>();
let beat = 0;

/** Calls `advance` with every beat, together with those of the other rows. Returns what ends it. */
function joinBeat(advance: () => void): () => void {
  moving.add(advance);
  beat ||= window.setInterval(() => {
    // Each in a task of its own, between which a tap is handled.
    if (!document.hidden) for (const each of moving) window.setTimeout(() => moving.has(each) && each());
  }, BEAT_MS);
  return () => {
    moving.delete(advance);
    if (moving.size > 0) return;
    window.clearInterval(beat);
    beat = 0;
  };
}

export function useBeat(moves: boolean, advance: () => void): void {
  useEffect(() => (moves ? joinBeat(advance) : undefined), [moves, advance]);
}

/** The rows that can move, the first one first. */
let rows: object[] = [];
const listeners = new Set<() => void>();
const changed = () => {
  for (const each of listeners) each();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const isStill = () => getSessionItem('still') !== '';

export function stopMotion(): void {
  setSessionItem('still', 'yes');
  changed();
}

/** `row`: itself in each rendering. */
export function usePause(row: object, canMove: boolean) {
  const paused = useSyncExternalStore(subscribe, isStill, () => false);
  const isFirst = useSyncExternalStore(
    subscribe,
    () => rows[0] === row,
    () => false,
  );
  useEffect(() => {
    if (!canMove) return;
    rows = [...rows, row];
    changed();
    return () => {
      rows = rows.filter(each => each !== row);
      changed();
    };
  }, [row, canMove]);
  return {
    paused,
    isFirst,
    toggle: () => {
      setSessionItem('still', paused ? '' : 'yes');
      changed();
    },
  };
}
