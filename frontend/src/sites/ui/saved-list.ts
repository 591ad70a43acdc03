/** The films that this phone has saved (../saved), by the addresses of their playlists: known without opening the database. */
import { playsStreams } from './device';
import { getLocalItem, removeLocalItem, setLocalItem } from './local-storage';

const KEY = 'spaza.saved';

/** Whether a film was saved on this phone, or is being saved. */
export const hasSavedFilms = (): boolean => getLocalItem(KEY) !== null;

/** Whether the whole film is on this phone. */
export function isSaved(source: string): boolean {
  return (getLocalItem(KEY) ?? '').split('\n').includes(source);
}

/** Call with the films that are there whole. `others`: whether there are films in part. */
export function listSaved(whole: string[], others: boolean): void {
  if (whole.length > 0 || others) setLocalItem(KEY, whole.join('\n'));
  else removeLocalItem(KEY);
}

/**
 * Whether this browser can save a stream, and play it without a connection: a browser that plays streams by itself (playback.ts) requests them
 * past us.
 */
export const canSave = (): boolean =>
  'MediaSource' in window &&
  !playsStreams() &&
  'serviceWorker' in navigator &&
  'indexedDB' in window &&
  window.isSecureContext;
