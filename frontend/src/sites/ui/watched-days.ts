/** The films and the data of each day on this phone, for the receipt. Nothing of it is sent. */
import { brand } from '../brand';
import { today } from '../clock';
import { getLocalItem, setLocalItem } from './local-storage';
import type { Film } from './resume';

const MAX_DAYS = 62;
const MAX_FILMS = 20;

/** `day`: "2026-11-29" in Johannesburg. */
export type WatchedDay = {
  day: string;
  bytes: number;
  films: [to: string, title: string, lang?: string][];
  /** Bytes that were saved, and that were watched of saved films. */
  saved?: number;
  fromSaved?: number;
};

/** By brand, because demo hosts show several brands under one origin. */
const key = () => `spaza.watched.${brand().label}`;

/** The latest first. */
export function watchedDays(): WatchedDay[] {
  try {
    const kept: unknown = JSON.parse(getLocalItem(key()) ?? '[]');
    return Array.isArray(kept) ? (kept as WatchedDay[]) : [];
  } catch {
    return [];
  }
}

function update(change: (day: WatchedDay) => void): void {
  const day = today();
  const days = watchedDays();
  const others = days.filter(each => each.day !== day);
  const current = days.find(each => each.day === day) ?? { day, bytes: 0, films: [] };
  change(current);
  setLocalItem(key(), JSON.stringify([current, ...others].slice(0, MAX_DAYS)));
}

export const addBytes = (fetched: number): void =>
  update(current => {
    current.bytes += Math.round(fetched);
  });

export const addSaved = (name: 'saved' | 'fromSaved', bytes: number): void =>
  update(current => {
    current[name] = (current[name] ?? 0) + bytes;
  });

export const addFilm = ({ to, title, lang }: Film): void =>
  update(current => {
    const others = current.films.filter(([each]) => each !== to);
    const film: WatchedDay['films'][number] = lang ? [to, title, lang] : [to, title];
    current.films = [film, ...others].slice(0, MAX_FILMS);
  });
