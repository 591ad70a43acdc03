/// <reference types="node" />
/** Saved films: saved on a line that breaks, played without one for 48 hours, and gone after a leave. */
import { expect, type Page } from '@playwright/test';
import { startLine } from './line';
import { expectNoAxeFindings, newNumber, site, test } from './visit';

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

test('a film is saved on a line that breaks, plays for 48 hours without one, and is gone after a leave', async ({
  page,
  context,
  pageErrors,
  request,
}) => {
  const number = await join(page);
  const line = await startLine(3);
  const host = `http://mcfunny.localhost:${line.port}`;
  const videos = await page.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1')).json());
  const { videoid } = videos.find(({ vurl }: { vurl: string }) => vurl.includes('the-last-two-minutes'));
  const film = `${host}/video/${videoid}/MC%20Funny/1`;
  await page.goto(`${host}/redirect`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto(film);
  const save = page.getByRole('button', { name: 'Save to watch without data' });
  await save.click();
  await page.getByRole('combobox', { name: /^Quality, / }).selectOption({ index: 2 });
  // Chromium on a desktop does not tell the kind of connection.
  const start = page.getByRole('button', { name: 'Save', exact: true });
  await expect(start).toBeDisabled();
  await page.getByRole('checkbox', { name: /without Wi-Fi/ }).check();
  await expectNoAxeFindings(page);
  // The player requests segments, too, until it has enough of them.
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause());
  await expect
    .poll(async () => {
      const before = line.requests.length;
      await page.waitForTimeout(2000);
      return line.requests.length - before;
    })
    .toBe(0);
  line.arm();
  await start.click();
  await expect(page.getByText(/^Saved, 0\.9 MB\. It plays/)).toBeVisible();
  const resumed = line.requests.filter(
    each => /\r\nrange: bytes=[1-9]\d*-\r\n/i.test(each) && each.includes('.m4s'),
  );
  expect(resumed.length, 'segments that went on at their byte').toBe(3);

  // Only encrypted parts are on the phone.
  const stored = await page.evaluate(async () => {
    const open = indexedDB.open('spaza-saved');
    await new Promise(done => open.addEventListener('success', done));
    const parts = open.result.transaction('parts').objectStore('parts').getAll();
    await new Promise(done => parts.addEventListener('success', done));
    open.result.close();
    const texts = parts.result.map(({ data }: { data: ArrayBuffer }) =>
      new TextDecoder('latin1').decode(data),
    );
    return {
      parts: texts.length,
      plain: texts.filter((each: string) => /ftyp|moof|EXTM3U/.test(each)).length,
    };
  });
  expect(stored).toEqual({ parts: 34, plain: 0 });

  await page.reload();
  const missing = () =>
    page.evaluate(async () => {
      const files = await caches.open('files-4').then(cache => cache.keys());
      const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
      const styles = [...document.styleSheets].flatMap(({ href }) => (href ? [new URL(href).pathname] : []));
      const needed = [...loaded, ...styles].filter(each => each.startsWith('/assets/'));
      return ['/assets/hls.', '/assets/saved-open.', '/assets/saved-films.', ...needed].filter(
        each => !files.some(({ url }) => url.includes(each)),
      );
    });
  await page.goto(`${host}/redirect`);
  await expect(page.locator('.deck-card').first()).toBeVisible();
  await expect.poll(missing, 'not cached').toEqual([]);
  await expect.poll(() => page.evaluate(async () => (await caches.match('/shell')) !== undefined)).toBe(true);

  await context.setOffline(true);
  const now = Date.now();
  await page.clock.setFixedTime(now + 47 * HOUR);
  await page.reload();
  await page.getByRole('region', { name: 'Saved' }).getByRole('link').first().click();
  await plays(page);
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 115;
  });
  await expect.poll(() => clock(page), 'to its end').toBeGreaterThan(118);

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

  // On another phone.
  const stop = await request.post(`http://127.0.0.1:${PORT + 10}/sms`, {
    data: { msisdn: number, text: 'STOP' },
  });
  expect(stop.ok()).toBe(true);
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByText('Your saved films were removed')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('spaza.saved'))).toBeNull();
  await page.goto(film);
  await expect(page.locator('.player-gate')).toBeVisible();
  line.close();
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
