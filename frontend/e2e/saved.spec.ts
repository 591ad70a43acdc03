/// <reference types="node" />
/** Saved films: saved on a line that breaks, played without one for 48 hours, and gone after a leave. */
import { expect, type Page } from '@playwright/test';
import { startLine } from './line';
import {
  confirmNumber,
  DECRYPTED,
  FORGET_PLACE,
  HAS_ENDED,
  PLAY_FAST,
  RECORD_DECRYPTED,
  RECORDS,
} from './saved';
import { expectNoAxeFindings, newNumber, removeEmbeddedReplies, site, test } from './visit';

test.use({ serviceWorkers: 'allow' });

const PORT = Number(process.env.E2E_PORT ?? '8080');
const HOUR = 3_600_000;

/** Joins as a new number, whose session cookie counts on every port of the host. */
async function join(page: Page): Promise<string> {
  const number = newNumber();
  await page.goto(`${site('mcfunny')}/login`);
  await page.locator('input[name=msisdn]').fill(number);
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(/result=active/);
  return number;
}

const clock = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);

const plays = async (page: Page) => {
  const before = await clock(page);
  await expect.poll(() => clock(page)).toBeGreaterThan(before);
};

const records = (page: Page) => expect.poll(() => page.evaluate(RECORDS));

/** All films and encrypted parts of the browser's database. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const open = indexedDB.open('spaza-saved');
    await new Promise(done => open.addEventListener('success', done));
    const read = open.result.transaction(['films', 'parts']);
    const parts = read.objectStore('parts');
    const [films, keys, values] = [read.objectStore('films').getAll(), parts.getAllKeys(), parts.getAll()];
    await new Promise(done => read.addEventListener('complete', done));
    open.result.close();
    const bytes = values.result.map(({ iv, data }) => ({ iv, data: new Uint8Array(data) }));
    return { films: films.result, keys: keys.result as string[][], bytes };
  });
type Stored = Awaited<ReturnType<typeof stored>>;

/** Puts them into another browser's database, as encrypted by its own key if that has a name. */
const store = (page: Page, films: Stored, keyName?: string) =>
  page.evaluate(
    async ([
      {
        films: [film],
        keys,
        bytes,
      },
      name,
    ]) => {
      const open = indexedDB.open('spaza-saved', 1);
      open.addEventListener('upgradeneeded', () => {
        open.result.createObjectStore('keys');
        open.result.createObjectStore('films', { keyPath: 'source' });
        open.result.createObjectStore('parts');
      });
      await new Promise(done => open.addEventListener('success', done));
      const write = open.result.transaction(['films', 'parts'], 'readwrite');
      write.objectStore('films').put({ ...film, keyName: name ?? film.keyName });
      for (const [place, { iv, data }] of bytes.entries())
        write.objectStore('parts').put({ iv, data: data.buffer }, keys[place]);
      await new Promise(done => write.addEventListener('complete', done));
      open.result.close();
      localStorage.setItem('spaza.saved', film.source);
    },
    [films, keyName] as const,
  );

test('a film is saved on a line that breaks, plays for 48 hours without one, and is gone after a leave', async ({
  page,
  context,
  browser,
  pageErrors,
  request,
}) => {
  const number = await join(page);
  const line = await startLine(3);
  const host = `http://mcfunny.localhost:${line.port}`;
  const videos = await page.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1')).json());
  const { videoid } = videos.find(({ vurl }: { vurl: string }) => vurl.includes('the-last-two-minutes'));
  const film = `${host}/video/${videoid}/MC%20Funny/1`;
  // The only page of this origin before the line goes.
  await page.goto(film);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const save = page.getByRole('button', { name: 'Save to watch without data' });
  await save.click();
  await page.getByRole('combobox', { name: /^Quality, / }).selectOption({ index: 2 });
  // Chromium on a desktop does not tell the kind of connection.
  const start = page.getByRole('button', { name: 'Save', exact: true });
  await expect(start).toBeDisabled();
  await page.getByRole('checkbox', { name: /without Wi-Fi/ }).check();
  await expectNoAxeFindings(page);
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause());
  await line.arm();
  await start.click();
  await expect(page.getByText(/^Saved, 0\.9 MB\. It plays/)).toBeVisible();
  expect(line.resumed(), 'segments that went on at their byte').toBe(3);

  // Only encrypted parts are on the phone.
  const saved = await stored(page);
  expect(saved.keys.length).toBe(34);
  const texts = saved.bytes.map(({ data }) => Buffer.from(data).toString('latin1'));
  expect(texts.filter(each => /ftyp|moof|EXTM3U/.test(each))).toEqual([]);

  const missing = () =>
    page.evaluate(async () => {
      const files = await caches.open('files-4').then(cache => cache.keys());
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      const links = [...document.styleSheets].flatMap(({ href }) => (href ? [new URL(href).pathname] : []));
      // Those of the page stand in it; the shell has that of every page.
      const own = [...document.querySelectorAll<HTMLElement>('style[data-href]')]
        .map(({ dataset }) => dataset.href ?? '')
        .filter(each => !each.startsWith('/assets/styles.'));
      const needed = [...loaded, ...links, ...own].filter(each => each.startsWith('/assets/'));
      const chunks = ['hls', 'saved-open', 'saved-films', 'home-comedy'].map(each => `/assets/${each}.`);
      return [...chunks, ...needed].filter(each => !files.some(({ url }) => url.includes(each)));
    });
  await expect.poll(missing, 'not cached').toEqual([]);
  await expect.poll(() => page.evaluate(async () => (await caches.match('/shell')) !== undefined)).toBe(true);

  await context.setOffline(true);
  const now = Date.now();
  await page.clock.setFixedTime(now + 47 * HOUR);
  await page.goto(`${host}/redirect`);
  await page.evaluate(FORGET_PLACE);
  await page.evaluate(RECORD_DECRYPTED);
  await page.getByRole('region', { name: 'Saved' }).getByRole('link').first().click();
  await plays(page);
  await expect(page.getByRole('complementary', { name: 'Join' })).toHaveCount(0);
  await page.evaluate(PLAY_FAST);
  await expect.poll(() => page.evaluate(HAS_ENDED)).toBe(true);
  await expect.poll(() => page.evaluate(DECRYPTED)).toBe(34);

  const refused = page.getByText('Saved films play for 48 hours without a connection.');
  await page.clock.setFixedTime(now + 49 * HOUR);
  await page.reload();
  await expect(refused).toBeVisible();
  await page.clock.setFixedTime(now + HOUR);
  await page.reload();
  await expect(refused, 'the clock was turned back').toBeVisible();

  await context.setOffline(false);
  await expect(refused).toBeHidden();
  await plays(page);

  await test.step('another browser of the same number plays nothing of it', async () => {
    const other = await browser.newContext({
      viewport: { width: 360, height: 740 },
      serviceWorkers: 'allow',
    });
    await confirmNumber(other.request, number);
    const there = await other.newPage();
    await other.route('**/media/**', route => route.abort());
    await there.goto(film);
    await store(there, saved);
    await there.reload();
    await records(there).toBe('1 0 0');
    const keyName = await there.evaluate(async () => {
      const open = indexedDB.open('spaza-saved');
      await new Promise(done => open.addEventListener('success', done));
      const key = open.result.transaction('keys').objectStore('keys').get('mcfunny');
      await new Promise(done => key.addEventListener('success', done));
      open.result.close();
      return key.result.name;
    });
    expect(keyName).not.toBe(saved.films[0].keyName);
    await store(there, saved, keyName);
    await there.addInitScript(RECORD_DECRYPTED);
    await there.reload();
    await expect(there.locator('.player-lost')).toBeVisible();
    expect(await there.evaluate(DECRYPTED)).toBeGreaterThan(0);
    await records(there).toBe('1 1 34');
    expect(await clock(there)).toBe(0);
    await other.close();
  });

  // On another phone, while the film plays here. No event tells this page that its line is there again.
  line.cut();
  const stop = await request.post(`http://127.0.0.1:${PORT + 10}/sms`, {
    data: { msisdn: number, text: 'STOP' },
  });
  expect(stop.ok()).toBe(true);
  await line.mend();
  const contact = Date.now();
  await expect(page.getByText('Your saved films were removed')).toBeVisible();
  await expect(page.locator('.player-gate')).toBeVisible();
  expect(Date.now() - contact, 'ms from contact until the film is gone').toBeLessThan(60_000);
  await records(page).toBe('0 0 0');
  expect(await page.evaluate(() => localStorage.getItem('spaza.saved'))).toBeNull();
  await page.goto(film);
  await expect(page.locator('.player-gate')).toBeVisible();
  line.cut();
  const expected =
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|ERR_EMPTY|ERR_CONTENT_LENGTH|ERR_INCOMPLETE|subscribe\/(me|saving-key)|40[13]/;
  expect(pageErrors.splice(0).filter(each => !expected.test(each))).toEqual([]);
});

test('saving 200 MB holds a few of them in memory', async ({ page, context, pageErrors }) => {
  await join(page);
  const videos = await page.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1')).json());
  const { videoid } = videos.find(({ vurl }: { vurl: string }) => vurl.includes('the-last-two-minutes'));
  await page.goto(`${site('mcfunny')}/video/${videoid}/MC%20Funny/1`);
  await page.getByRole('button', { name: 'Save to watch without data' }).click();
  await page.getByRole('checkbox', { name: /without Wi-Fi/ }).check();
  const segment = Buffer.alloc(1_000_000, 7);
  const names = Array.from({ length: 200 }, (_, place) => `large-${place}.m4s`);
  await context.route(/\/\d+p\/index\.m3u8$/, route =>
    route.fulfill({ body: ['#EXTM3U', ...names, '#EXT-X-ENDLIST', ''].join('\n') }),
  );
  await context.route(/\/large-\d+\.m4s$/, route => route.fulfill({ body: segment }));
  const devtools = await context.newCDPSession(page);
  const used = async () => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = (await devtools.send('Runtime.getHeapUsage')) as {
      usedSize: number;
      backingStorageSize?: number;
    };
    return (usedSize + backingStorageSize) / 1e6;
  };
  const before = await used();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  let most = 0;
  await expect
    .poll(async () => {
      most = Math.max(most, (await used()) - before);
      return page.getByText(/^Saved, 200\.\d MB/).isVisible();
    })
    .toBe(true);
  expect(most, 'MB more than before').toBeLessThan(20);
  pageErrors.splice(0);
});

test('the next five films of a row are saved one after another, and a paused film goes on', async ({
  page,
  context,
  pageErrors,
}) => {
  await join(page);
  const lists = await Promise.all(
    [1, 2, 3].map(async id =>
      (await page.request.get(`${site('mcfunny')}/api/madfunny/fetchVideos/${id}`)).json(),
    ),
  );
  const stream = 'the-last-two-minutes';
  const [film, ...others] = lists.flat().sort(({ vurl }) => (vurl.includes(stream) ? -1 : 1));
  const row = others
    .slice(0, 6)
    .map((each, nth) => ({ ...each, vurl: film.vurl.replace(stream, `row-${nth}`), duration_s: 120 }));
  await removeEmbeddedReplies(page);
  await context.route('**/api/madfunny/common/*', route => route.fulfill({ json: [film, ...row] }));
  const order: string[] = [];
  await context.route('**/media/**/row-*/**', route => {
    const [name = ''] = /row-\d/.exec(route.request().url()) ?? [];
    if (order.at(-1) !== name && route.request().url().endsWith('.m4s')) order.push(name);
    return route.continue({ url: route.request().url().replace(name, stream) });
  });
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  // But its first ones.
  await context.route(/the-last-two-minutes\/.*000[12]\d\.m4s$/, async route => {
    await held;
    await route.continue();
  });
  const address = `${site('mcfunny')}/video/${film.videoid}/MC%20Funny/1`;
  await page.goto(address);
  await page.getByRole('button', { name: 'Save to watch without data' }).click();
  await page.getByRole('checkbox', { name: /^Also the next 5 of this row: \d+\.\d MB more$/ }).check();
  await page.getByRole('checkbox', { name: /without Wi-Fi/ }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await records(page).toMatch(/^1 6 /);
  expect(order, 'the chosen film comes first').toEqual([]);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('spaza.saved')))
    .toBe(
      row
        .slice(0, 5)
        .map(({ vurl }) => vurl)
        .join('\n'),
    );
  expect(order).toEqual(['row-0', 'row-1', 'row-2', 'row-3', 'row-4']);
  release();
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await expect(page.getByText(/^Saved, \d\.\d MB\. It plays/)).toBeVisible();
  await page.goto(`${site('mcfunny')}/redirect`);
  const films = page.getByRole('region', { name: 'Saved' }).getByRole('link');
  await expect(films).toHaveText(Array.from({ length: 6 }, () => /2:00 · \d\.\d MB/));

  // As a copy of the browser's folder without its cookies.
  await context.clearCookies();
  await page.reload();
  await expect(page.getByText('Your saved films were removed')).toBeVisible();
  await records(page).toBe('0 0 0');
  await page.goto(address);
  await expect(page.locator('.player-gate')).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  expect(pageErrors.splice(0).filter(each => !/ERR_ABORTED|ERR_FAILED|40[13]/.test(each))).toEqual([]);
});
