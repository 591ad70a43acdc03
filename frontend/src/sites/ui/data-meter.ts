/** The data used by videos this month on this phone, and the visitor's cap, per brand. */
import { brand } from '../brand';
import { today } from '../clock';
import { getLocalItem, setLocalItem } from './local-storage';
import { addBytes, addSaved } from './watched-days';

const MB = 1e6;

type Meter = {
  /** "2026-11" in Johannesburg. */
  month: string;
  bytes: number;
  /** Megabytes; 0: no cap. It stays for the following months. */
  cap: number;
  /** The visitor continues beyond the cap, for the rest of the month. */
  watchOn?: boolean;
  /** Bytes of films that were saved, and of those, what was watched. */
  saved?: number;
  fromSaved?: number;
};

/** By brand, because demo hosts show several brands under one origin. */
const key = () => `spaza.data.${brand().label}`;

export function readMeter(now = Date.now()): Meter {
  const month = today(now).slice(0, 7);
  let kept: Partial<Meter> = {};
  try {
    kept = JSON.parse(getLocalItem(key()) ?? '{}') as Partial<Meter>;
  } catch {
    // Invalid JSON: counting starts again.
  }
  const cap = Number(kept.cap) || 0;
  return kept.month === month
    ? { ...kept, month, bytes: kept.bytes ?? 0, cap, watchOn: kept.watchOn === true }
    : { month, bytes: 0, cap };
}

/** Reads the meter before each change, because another tab may have changed it. */
export function updateMeter(change: (meter: Meter) => Partial<Meter>): void {
  const meter = readMeter();
  setLocalItem(key(), JSON.stringify({ ...meter, ...change(meter) }));
  for (const listener of listeners) listener();
}

export function countData(fetched: number): void {
  updateMeter(({ bytes }) => ({ bytes: bytes + Math.round(fetched) }));
  addBytes(fetched);
}

/** `isFree`: over Wi-Fi, which costs no mobile data. */
export function countSaved(fetched: number, isFree: boolean): void {
  updateMeter(({ saved = 0 }) => ({ saved: saved + fetched }));
  addSaved('saved', fetched);
  if (!isFree) countData(fetched);
}

export function countFromSaved(watched: number): void {
  updateMeter(({ fromSaved = 0 }) => ({ fromSaved: fromSaved + watched }));
  addSaved('fromSaved', watched);
}

/** Whether so many bytes more may be fetched. */
export function hasRoomFor(more: number): boolean {
  const { bytes, cap, watchOn } = readMeter();
  return cap === 0 || watchOn === true || bytes + more < cap * MB;
}

export const isCapReached = (): boolean => !hasRoomFor(0);

const listeners = new Set<() => void>();

/** Calls `listener` after each change in this or another tab. Returns the function that stops it. */
export function onMeterChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === key() && listener();
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

/**
 * Counts the data of a file: each second that was ever buffered counts with its share of `bytes`, because the browser does not report what
 * it fetches. Returns the function to call when more is buffered.
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
