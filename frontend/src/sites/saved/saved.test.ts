import 'fake-indexeddb/auto';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { problem, server } from '../../dev/server';
import { readMeter } from '../ui/data-meter';
import { hasSavedFilms, isSaved } from '../ui/saved-list';
import { watchedDays } from '../ui/watched-days';
import { database, type SavedFilm } from './database';
import { download } from './download';
import { checkKey, refreshFilms } from './films';
import { openSaved } from './open-saved';
import { filesOf, sizesOf } from './playlists';
import { saveRow, setSavesOnAnyLine } from './saver';
import { decrypt, encrypt, renewKey, timeAfter, usableKey } from './saving-key';

vi.mock('../ui/hls', () => ({ WORKER: '/assets/hls.worker.js' }));

const HOUR = 3_600_000;
const KEY = '*/api/subscribe/saving-key';
const SOURCE = '/media/mcfunny/film/master.m3u8';
const SEGMENT = 'http://mcfunny.localhost:8080/media/mcfunny/film/360p/00000.m4s';
const START = new Date('2026-11-29T10:00:00Z').getTime();

const base64 = (byte: number) => btoa(String.fromCharCode(...new Array<number>(32).fill(byte)));
/** The service gives the key whose bytes are all the same. */
const gives = (byte: number) =>
  server.use(http.post(KEY, () => HttpResponse.json({ key: base64(byte), valid_seconds: 48 * 3600 })));
const ends = (status: number) => server.use(http.post(KEY, () => problem(status, 'Ended')));

const clock = (hours: number) => vi.setSystemTime(START + hours * HOUR);

beforeEach(async () => {
  vi.stubGlobal('caches', { delete: vi.fn() });
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: START });
  const db = await database();
  for (const store of ['keys', 'films', 'parts'] as const) await db.clear(store);
  return () => vi.useRealTimers();
});

async function key() {
  const usable = await usableKey();
  if (!usable || usable === 'expired') throw new Error(`No key: ${usable}`);
  return usable;
}

/** Saves a film of one segment. */
async function save(state: SavedFilm['state'] = 'whole'): Promise<void> {
  const { key: own, name: keyName } = await key();
  const db = await database();
  const film = { to: '/video/1', title: 'Taxi', image: '', seconds: 120, brand: 'mcfunny' };
  const segment = await encrypt(own, SEGMENT, new TextEncoder().encode('picture'));
  await db.put('parts', segment, [SOURCE, SEGMENT]);
  const lines = 360;
  const parts = [SEGMENT];
  await db.put('films', {
    source: SOURCE,
    film,
    captions: undefined,
    lines,
    keyName,
    parts,
    done: 1,
    bytes: 7,
    state,
    chosen: START,
  });
  await refreshFilms();
}

/** A stream of two sizes, `one`, and others of one. */
function streams(): void {
  vi.stubGlobal('MediaSource', { isTypeSupported: () => true });
  const sizeOf = (lines: number) =>
    `#EXT-X-STREAM-INF:BANDWIDTH=${lines},RESOLUTION=1x${lines}\n${lines}p/index.m3u8\n`;
  server.use(
    http.get('*/media/mcfunny/:film/master.m3u8', ({ params }) =>
      HttpResponse.text(`#EXTM3U\n${params.film === 'one' ? sizeOf(240) + sizeOf(360) : ''}${sizeOf(720)}`),
    ),
    http.get('*/media/mcfunny/:film/:size/index.m3u8', () => HttpResponse.text('#EXTM3U\n00000.m4s\n')),
  );
}

/** A film of a row. */
const planned = (name: string) => ({
  source: `/media/mcfunny/${name}/master.m3u8`,
  film: { to: '/video/1', title: 'Taxi', image: '/img/a.jpg', seconds: 120, brand: 'mcfunny' },
  captions: undefined,
  queryKey: [`/api/madfunny/fetchsingle/${name}`],
});

test('a saved film is read for 48 hours without contact, and again after the next', async () => {
  gives(1);
  expect(await renewKey()).toBe('renewed');
  await save();
  expect(isSaved(SOURCE)).toBe(true);
  server.use(http.post(KEY, () => HttpResponse.error()));
  clock(47);
  const read = await openSaved(SOURCE);
  if (typeof read !== 'function') throw new Error(`Not read: ${read}`);
  expect(new TextDecoder().decode(await read(SEGMENT))).toBe('picture');
  expect(await read(`${SEGMENT}?`), 'another file').toBeUndefined();
  expect(readMeter()).toMatchObject({ bytes: 0, fromSaved: 7 });
  expect(watchedDays()).toMatchObject([{ bytes: 0, fromSaved: 7 }]);
  clock(49);
  expect(await openSaved(SOURCE)).toBe('expired');
  await expect(read(SEGMENT), 'a film that is playing').rejects.toThrow();
  // The clock is turned back.
  clock(1);
  expect(await openSaved(SOURCE)).toBe('expired');
  gives(1);
  expect(typeof (await openSaved(SOURCE))).toBe('function');
});

test('while the clock is behind, the time that passes counts', () => {
  expect(timeAfter(1000, 50, 1200)).toBe(1200);
  expect(timeAfter(1000, 50, 400)).toBe(1050);
});

test.each([401, 403])('%i removes the key and the films, and no other failure does', async status => {
  gives(1);
  await renewKey();
  await save();
  for (const other of [
    HttpResponse.error(),
    HttpResponse.json({}, { status: 503 }),
    // A Wi-Fi's sign-in page.
    HttpResponse.html('<h1>Sign in</h1>', { status }),
  ]) {
    server.use(http.post(KEY, () => other));
    expect(await checkKey()).toBe('unreachable');
    expect(hasSavedFilms()).toBe(true);
  }
  ends(status);
  expect(await checkKey()).toBe('ended');
  expect(hasSavedFilms()).toBe(false);
  expect(await openSaved(SOURCE)).toBeUndefined();
  const db = await database();
  expect([await db.count('keys'), await db.count('films'), await db.count('parts')]).toEqual([0, 0, 0]);
});

test('another key removes the films of the one before, and cannot read them', async () => {
  gives(1);
  await renewKey();
  await save();
  const part = await (await database()).get('parts', [SOURCE, SEGMENT]);
  const { key: first } = await key();
  gives(2);
  await checkKey();
  expect(hasSavedFilms()).toBe(false);
  if (!part) throw new Error('No part');
  await expect(decrypt((await key()).key, SEGMENT, part)).rejects.toThrow();
  await expect(decrypt(first, `${SEGMENT}?`, part), 'in place of another file').rejects.toThrow();
  await expect(crypto.subtle.exportKey('raw', first)).rejects.toThrow();
});

test('the streams of a row are planned once, each in the largest size of at most so many lines', async () => {
  gives(1);
  streams();
  await saveRow(['one', 'two'].map(planned), 480);
  await saveRow(['one', 'two'].map(planned), 720);
  const films = await (await database()).getAll('films');
  expect(
    films.map(({ source, lines, state, replies }) => [source.split('/')[3], lines, state, replies]),
  ).toEqual([
    ['one', 360, 'saving', ['/api/madfunny/fetchsingle/one']],
    ['two', 720, 'saving', ['/api/madfunny/fetchsingle/two']],
  ]);
});

test('a film is whole once its page and the code that plays it are kept, too', async () => {
  gives(1);
  streams();
  const put = vi.fn(async (_address: string, _response: Response) => undefined);
  vi.stubGlobal('caches', {
    open: async () => ({ put, add: () => Promise.reject(new TypeError('No picture')) }),
    delete: vi.fn(),
  });
  const postMessage = vi.fn();
  const worker = { ready: Promise.resolve({ active: { postMessage } }) };
  vi.stubGlobal('navigator', Object.create(navigator, { serviceWorker: { value: worker } }));
  const cached = () => postMessage.mock.calls.flatMap(([{ payload }]) => payload.urlsToCache);
  let works = false;
  server.use(
    http.get('*/fetchsingle/one', () => (works ? HttpResponse.json({ id: 1 }) : HttpResponse.error())),
    http.get('*/assets/*', () => HttpResponse.text('')),
    http.get('*.m4s', () => HttpResponse.text('picture')),
  );
  const state = async () => (await database()).getAll('films').then(([film]) => film?.state);
  setSavesOnAnyLine(true);
  await saveRow([planned('one')], 480);
  await new Promise(done => setTimeout(done, 300));
  expect([await state(), cached()]).toEqual(['saving', []]);
  works = true;
  // It is tried again by itself.
  await vi.waitFor(async () => expect(await state()).toBe('whole'), { timeout: 30_000 });
  expect(put.mock.calls.map(([address]) => address)).toEqual(['/api/madfunny/fetchsingle/one']);
  expect(cached()).toContain('/shell');
}, 60_000);

test('a film in part is listed and not played', async () => {
  gives(1);
  await renewKey();
  await save('saving');
  expect([hasSavedFilms(), isSaved(SOURCE)]).toEqual([true, false]);
  expect(await openSaved(SOURCE)).toBeUndefined();
});

test('a file goes on at the byte where the connection broke, and begins again where it has changed', async () => {
  const ranges: (string | null)[] = [];
  let reply = () => new Response('');
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    ranges.push(new Headers(headers).get('range'));
    return reply();
  });
  const get = () => download(SEGMENT, new AbortController().signal, vi.fn());
  const chunk = new TextEncoder().encode('pic');
  reply = () => {
    let sent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (sent) return controller.error(new TypeError('network error'));
        sent = true;
        controller.enqueue(chunk);
      },
    });
    return new Response(body, { headers: { etag: '"1"' } });
  };
  await expect(get()).rejects.toThrow('network error');
  reply = () => new Response('ture', { status: 206, headers: { etag: '"1"' } });
  expect(new TextDecoder().decode(await get())).toBe('picture');
  expect(ranges).toEqual([null, 'bytes=3-']);
  reply = () => new Response('gone', { status: 404 });
  await expect(get()).rejects.toMatchObject({ status: 404 });
});

test('sizesOf offers what the browser can play, once for each height, with the sound it names', () => {
  const main = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Sound",URI="sound/index.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="Other",URI="other/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=700000,RESOLUTION=640x360,CODECS="avc1.4d4016,mp4a.40.2",AUDIO="a"
360p/index.m3u8

#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=640x360,CODECS="av01.0.01M.08,mp4a.40.2",AUDIO="a"
360p-av1/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=224400,RESOLUTION=426x240,CODECS="avc1.42c015,mp4a.40.2"
240p/index.m3u8
`;
  const base = 'http://h/film/master.m3u8';
  const sizes = sizesOf(main, base, codecs => codecs.startsWith('avc1'));
  expect(sizes.map(({ lines, bits }) => [lines, bits])).toEqual([
    [240, 224_400],
    [360, 700_000],
  ]);
  expect(sizes[1]?.playlists).toEqual(['http://h/film/360p/index.m3u8', 'http://h/film/sound/index.m3u8']);
  expect(sizes[1]?.playlist).toContain('sound/index.m3u8');
  expect(sizes[1]?.playlist).not.toMatch(/240p|av1|other/);
  expect(sizesOf(main, base, () => true).map(({ bits }) => bits)).toEqual([224_400, 400_000]);
});

test('filesOf names the files of a playlist once', () => {
  const list =
    '#EXTM3U\n#EXT-X-MAP:URI="init_2.mp4"\n#EXTINF:4.0,\n00000.m4s\n#EXTINF:4.0,\n00001.m4s\n#EXT-X-ENDLIST\n';
  expect(filesOf(list, 'http://h/film/360p/index.m3u8')).toEqual(
    ['init_2.mp4', '00000.m4s', '00001.m4s'].map(file => `http://h/film/360p/${file}`),
  );
});
