/** The database of saved films: their encrypted parts, and the key, which scripts can use and cannot read. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Film } from '../ui/resume';

export type SavedFilm = {
  /** The address of its playlist. */
  source: string;
  film: Film;
  /** The address of its captions. */
  captions: string | undefined;
  /** The height of the picture in lines. */
  lines: number;
  /** Which key its parts are encrypted with (saving-key.ts). */
  keyName: string;
  /** The addresses of the catalogue replies that its page shows, until they are kept (saver.ts). */
  replies?: string[];
  /** The absolute addresses of its playlists, segments and captions. */
  parts: string[];
  /** How many of them are saved, and their size. */
  done: number;
  bytes: number;
  state: 'saving' | 'paused' | 'whole';
  /** Milliseconds since 1970. Films are saved and listed in the order in which they were chosen. */
  chosen: number;
};

export type StoredKey = {
  /** AES-GCM, not extractable. */
  key: CryptoKey;
  name: string;
  /** Milliseconds since 1970 until which it may be used. */
  until: number;
  /** The latest time that this phone has shown. */
  latest: number;
};

/** An encrypted part. */
export type Part = { iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer };

interface Schema extends DBSchema {
  /** By the brand's label: demo hosts show several brands under one origin. */
  keys: { key: string; value: StoredKey };
  films: { key: string; value: SavedFilm };
  /** By the film's and the part's address. */
  parts: { key: [source: string, address: string]; value: Part };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

export function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('spaza-saved', 1, {
    upgrade(db) {
      db.createObjectStore('keys');
      db.createObjectStore('films', { keyPath: 'source' });
      db.createObjectStore('parts');
    },
    blocking: () => close(),
    terminated: () => close(),
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** A newer release waits for it, or the browser has closed it. */
function close(): void {
  opened?.then(db => db.close(), console.info);
  opened = undefined;
}

/** Every part of a film. */
export const partsOf = (source: string): IDBKeyRange => IDBKeyRange.bound([source], [source, []]);
