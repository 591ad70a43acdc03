/** The saved films of this phone and brand: the list for the screens, and what removes films. */
import { useSyncExternalStore } from 'react';
import { notify } from '../../shared/ui/notify';
import { queryClient } from '../api/query-client';
import { brand } from '../brand';
import { t } from '../messages';
import { ME } from '../session';
import { listSaved } from '../ui/saved-list';
import { database, partsOf, type SavedFilm } from './database';
import { type Contact, renewKey, usableKey } from './saving-key';

/** Pictures and catalogue replies of saved films. The service worker answers from it where nothing else does. */
export const SAVED_CACHE = 'saved-1';

let films: SavedFilm[] = [];
const listeners = new Set<() => void>();

/** Reads the list again; screens and the list in local storage follow. */
export async function refreshFilms(): Promise<SavedFilm[]> {
  const all = await (await database()).getAll('films');
  const { label } = brand();
  films = all.filter(({ film }) => film.brand === label).sort((one, other) => one.chosen - other.chosen);
  const whole = all.filter(({ state }) => state === 'whole').map(({ source }) => source);
  listSaved(whole, whole.length < all.length);
  if (all.length === 0) await caches.delete(SAVED_CACHE);
  for (const listener of listeners) listener();
  return films;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSavedFilms = (): SavedFilm[] => useSyncExternalStore(subscribe, () => films);

/** Changes a film that is still there. */
export async function updateFilm(source: string, change: Partial<SavedFilm>): Promise<void> {
  const store = (await database()).transaction('films', 'readwrite').store;
  const film = await store.get(source);
  if (film) await store.put({ ...film, ...change });
  await refreshFilms();
}

export async function removeFilms(sources: string[]): Promise<void> {
  const saved = (await database()).transaction(['films', 'parts'], 'readwrite');
  for (const source of sources) {
    await saved.objectStore('films').delete(source);
    await saved.objectStore('parts').delete(partsOf(source));
  }
  await saved.done;
  await refreshFilms();
}

/** Renews the key, and removes the films that are encrypted with another. */
export async function checkKey(): Promise<Contact> {
  const contact = await renewKey();
  if (contact === 'unreachable') return contact;
  // A page whose session has ended shows so, and does not play on over the connection.
  if (contact === 'ended') queryClient().invalidateQueries({ queryKey: [ME] });
  const key = await usableKey();
  const name = key && key !== 'expired' ? key.name : '';
  const dead = (await refreshFilms()).filter(({ keyName }) => keyName !== name);
  if (dead.length > 0) {
    await removeFilms(dead.map(({ source }) => source));
    notify(t('saved-removed'));
  }
  return contact;
}
