/** Saves films, one part after another, while a page is open: it stops without Wi-Fi or a connection, and goes on by itself. */
import { notify } from '../../shared/ui/notify';
import { isStatus } from '../api/problem';
import { queryClient } from '../api/query-client';
import { withDomain } from '../host';
import { t } from '../messages';
import { cacheFiles } from '../offline';
import { fetchPage } from '../preload';
import { isAv1, playsAv1 } from '../ui/codecs';
import { countSaved, isCapReached } from '../ui/data-meter';
import { lineKind } from '../ui/device';
import { getLocalItem, setLocalItem } from '../ui/local-storage';
import { resized } from '../ui/Picture';
import type { Film } from '../ui/resume';
import { retrying } from '../ui/retry';
import type { Saving } from '../ui/SaveButton';
import { database, type SavedFilm } from './database';
import { download } from './download';
import { checkKey, refreshFilms, removeFilms, SAVED_CACHE, updateFilm } from './films';
import { filesOf, type Size, sizesOf } from './playlists';
import { encrypt, usableKey } from './saving-key';

const ANY_LINE = 'spaza.saved.any-line';

/** Whether films are saved without Wi-Fi, too, or where the browser does not tell the kind of connection. */
export const savesOnAnyLine = (): boolean => getLocalItem(ANY_LINE) === 'yes';

export function setSavesOnAnyLine(any: boolean): void {
  setLocalItem(ANY_LINE, any ? 'yes' : 'no');
  saveOn();
}

/** Mobile data counts in the month's meter, and ends at its cap. */
const isFree = (): boolean => lineKind() === 'wifi';
export const mayUseLine = (): boolean => isFree() || (savesOnAnyLine() && !isCapReached());

function count(bytes: number): void {
  if (bytes > 0) countSaved(bytes, isFree());
}

const absolute = (address: string): string => new URL(address, window.location.href).href;

/** What may be chosen for a stream. */
export async function offeredSizes(source: string): Promise<Size[]> {
  const base = absolute(source);
  const response = await fetch(base, { credentials: 'same-origin' });
  if (!response.ok) return [];
  const av1 = await playsAv1();
  const canPlay = (codecs: string) =>
    !codecs || ((av1 || !isAv1(codecs)) && MediaSource.isTypeSupported(`video/mp4; codecs="${codecs}"`));
  return sizesOf(await response.text(), base, canPlay);
}

/** Bytes that a film may take; `undefined` where the browser does not tell. */
export async function freeBytes(): Promise<number | undefined> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined ? undefined : quota - usage;
}

/** Plans a film and begins to save it. */
export async function saveFilm(
  source: string,
  film: Film,
  captions: string | undefined,
  { lines, playlist, playlists }: Size,
  replies = shownReplies(),
): Promise<void> {
  // Without it the browser may delete everything where space is short. Firefox resolves only when the visitor has answered.
  navigator.storage?.persist?.().catch(console.info);
  if ((await checkKey()) !== 'renewed') throw new Error('No key');
  const key = await usableKey();
  if (!key || key === 'expired') throw new Error('No key');
  const main = absolute(source);
  const texts: [string, string][] = [[main, playlist]];
  for (const address of playlists) {
    const response = await fetch(address, { credentials: 'same-origin' });
    if (!response.ok) throw new Error(`Playlist: ${response.status}`);
    texts.push([address, await response.text()]);
  }
  const files = texts.slice(1).flatMap(([base, text]) => filesOf(text, base));
  const parts = [...texts.map(([address]) => address), ...files, ...(captions ? [absolute(captions)] : [])];
  const encrypted = await Promise.all(
    texts.map(async ([at, text]) => ({
      at,
      part: await encrypt(key.key, at, new TextEncoder().encode(text)),
    })),
  );
  const done = texts.length;
  const saved = (await database()).transaction(['films', 'parts'], 'readwrite');
  for (const { at, part } of encrypted) saved.objectStore('parts').put(part, [source, at]);
  const chosen = Date.now();
  const keyName = key.name;
  saved
    .objectStore('films')
    .put({ source, film, captions, lines, keyName, replies, parts, done, bytes: 0, state: 'saving', chosen });
  await saved.done;
  await refreshFilms();
  saveOn();
}

/** Plans the streams of a row that are not saved yet, each in the largest size of at most so many lines. */
export async function saveRow(row: Saving[], lines: number): Promise<void> {
  const planned = (await refreshFilms()).map(({ source }) => source);
  for (const { source, film, captions, queryKey } of row) {
    const address = withDomain(source);
    if (planned.includes(address)) continue;
    const sizes = await offeredSizes(address);
    const size = sizes.filter(each => each.lines <= lines).pop() ?? sizes[0];
    if (size) await saveFilm(address, film, captions && withDomain(captions), size, [addressOf(queryKey)]);
  }
}

/** A visitor's own replies are not kept. */
const CATALOGUE = /^\/api\/\w+\/(?!mine|getTTWatchlist|me\b)/;

const addressOf = (queryKey: readonly unknown[]): string => String(queryKey[0]);

/** The addresses of the replies that the open page shows. */
const shownReplies = (): string[] =>
  queryClient()
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ queryKey }) => addressOf(queryKey))
    .filter(each => CATALOGUE.test(each));

/** Keeps what the film's page shows beside the film, and the code that plays it. It shows without a picture, too. */
async function keepPage({ source, film, replies = [] }: SavedFilm): Promise<void> {
  const kept = await caches.open(SAVED_CACHE);
  for (const address of replies.map(withDomain)) {
    const response = await fetch(address);
    if (response.ok) await kept.put(address, response);
  }
  for (const width of [POSTER_WIDTH, CARD_WIDTH])
    await kept.add(resized(film.image, width)).catch(console.info);
  await keepPlayer();
  await updateFilm(source, { replies: [] });
}
/** Pixels: of the player (Player.tsx) and of the row (SavedFilms.tsx). */
const POSTER_WIDTH = 960;
export const CARD_WIDTH = 480;

/**
 * Caches what opens without a connection: the home, where saved films are listed, and what plays them. The service worker caches the files of
 * this release as they are requested; those that the page had before are sent to it.
 */
export async function keepPlayer(): Promise<void> {
  const [{ WORKER }] = await Promise.all([
    import(/* webpackChunkName: "hls" */ '../ui/hls'),
    import(/* webpackChunkName: "saved-open" */ './open-saved'),
    import(/* webpackChunkName: "saved-films" */ './SavedFilms'),
    fetchPage('/'),
  ]);
  await fetch(WORKER);
  await cacheFiles('/shell');
}

let stopped = new AbortController();
let running = false;
const retry = retrying(saveOn);

/** Begins, or goes on. One tab saves at a time. */
export function saveOn(): void {
  if (running) return;
  running = true;
  const save = async () => {
    stopped = new AbortController();
    await saveAll(stopped.signal);
  };
  const only = navigator.locks
    ? navigator.locks.request('spaza-saved', { ifAvailable: true }, lock => lock && save())
    : save();
  Promise.resolve(only)
    .catch(error => failed(error))
    .finally(() => {
      running = false;
      // One film was paused or removed: the next is saved.
      if (stopped.signal.aborted) saveOn();
    });
}

const nextFilm = async (): Promise<SavedFilm | undefined> =>
  (await refreshFilms()).find(({ state }) => state === 'saving');

async function saveAll(signal: AbortSignal): Promise<void> {
  for (let film = await nextFilm(); film && mayUseLine(); film = await nextFilm())
    await savePart(film, signal);
}

async function savePart(film: SavedFilm, signal: AbortSignal): Promise<void> {
  const { source, parts, done, bytes, replies } = film;
  // Before the film: a line may end as soon as that is whole.
  if (replies?.length) return keepPage(film);
  const at = parts[done];
  if (at === undefined) return updateFilm(source, { state: 'whole' });
  let arrived = 0;
  const file = await download(at, signal, piece => {
    arrived += piece;
  })
    .catch(error => {
      // Gone from the server: the film was taken down.
      if (isStatus(error, 404, 410)) return undefined;
      throw error;
    })
    // Once for a file: the meter and the receipt are written anew each time.
    .finally(() => count(arrived));
  if (!file) {
    notify(t('save-failed'));
    return removeFilms([source]);
  }
  retry.worked();
  const key = await usableKey();
  if (!key || key === 'expired' || key.name !== film.keyName) return void (await checkKey());
  const part = await encrypt(key.key, at, file);
  const saved = (await database()).transaction(['films', 'parts'], 'readwrite');
  const films = saved.objectStore('films');
  const latest = await films.get(source);
  // It may have been removed or paused meanwhile.
  if (latest) {
    const state = latest.state === 'saving' && done + 1 === parts.length ? 'whole' : latest.state;
    saved.objectStore('parts').put(part, [source, at]);
    films.put({ ...latest, done: done + 1, bytes: bytes + file.length, state });
  }
  await saved.done;
}

async function failed(error: unknown): Promise<void> {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  console.info('Saving waits', error);
  if (error instanceof DOMException && error.name === 'QuotaExceededError') {
    notify(t('save-full'));
    const film = await nextFilm();
    if (film) await updateFilm(film.source, { state: 'paused' });
    return;
  }
  if (isStatus(error, 401, 403) && (await checkKey()) === 'ended') return;
  retry.later();
}

export async function pauseSaving(source: string): Promise<void> {
  await updateFilm(source, { state: 'paused' });
  stopped.abort();
}

export async function resumeSaving(source: string): Promise<void> {
  await updateFilm(source, { state: 'saving' });
  saveOn();
}

export async function removeSaved(source: string): Promise<void> {
  stopped.abort();
  await removeFilms([source]);
  saveOn();
}
