/// <reference types="node" />
/** Offline: the site opens, says that it is offline, and recovers by itself. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { openAsTestNumber, site, test } from './visit';

test.use({ serviceWorkers: 'allow' });

test('the site opens offline with the replies seen before', async ({ page, context, pageErrors }) => {
  await page.goto(`${site('diski99')}/artistvideos/1/diski99/1`);
  await expect(page.locator('.video-card').first()).toBeVisible();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // An idle page sends its replies to the service worker, which caches them.
  await page.reload();
  await expect(page.locator('.video-card').first()).toBeVisible();
  const kept = () =>
    page.evaluate(async () => {
      const addresses: string[] = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
      const needed = ['/shell', '/api/diski/fetchVideos/1', '/api/diski/fetchArtist'];
      const chunks = ['/assets/search-artists.', '/assets/leave.', '/assets/feed.', '/assets/toast.'];
      return [
        ...needed.filter(each => !addresses.includes(each)),
        ...chunks.filter(each => !addresses.some(address => address.startsWith(each))),
      ];
    });
  await expect.poll(kept, 'still to be kept').toEqual([]);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('You are offline. What you see may be old.')).toBeVisible();
  await expect(page.locator('.video-card').first()).toBeVisible();

  // Leaving opens offline, too.
  await page.getByRole('link', { name: 'Want to unsubscribe' }).click();
  await expect(page.getByRole('heading', { name: 'Other ways to stop' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveText(/SMS STOP to [\d, ]+ works now\./);
  await page.getByLabel('Number to unsubscribe').fill('812345678');
  await page.getByRole('button', { name: 'Unsubscribe' }).tap();
  await expect(page.locator('.Toastify__toast')).toContainText('works now.');
  const line = await page.getByText('You are offline. What you see may be old.').boundingBox();
  const toast = await page.locator('.Toastify__toast').boundingBox();
  expect(toast?.y, 'the toast is below the line').toBeGreaterThanOrEqual(
    (line?.y ?? 0) + (line?.height ?? 0),
  );
  await page.goBack();

  // So does the feed.
  await page.getByRole('link', { name: 'Watch one after another' }).first().click();
  await expect(page.getByRole('heading', { name: 'Watch one after another' })).toBeAttached();
  await expect(page.getByText('This page did not load.')).toHaveCount(0);
  await page.goBack();

  // A list that was never seen shows an error, and loads when the connection is back.
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('taxi');
  await expect(page.getByRole('alert').getByText('You are offline.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/\d+ found/)).toBeVisible();
  await expect(page.getByText('You are offline.')).toHaveCount(0);
  // Only offline failures, and the session request: the cached shell does not know whether there is a session.
  const expected = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|\/api\/subscribe\/me/;
  expect(pageErrors.splice(0).filter(each => !expected.test(each))).toEqual([]);
});

/** Waits until a call is in the list of those that wait for a connection. */
const waitsToBeSent = (page: Page, call: string) =>
  expect
    .poll(() => page.evaluate(() => localStorage.getItem(`spaza.outbox.${location.hostname.split('.')[0]}`)))
    .toContain(call);

test('a heart tapped offline is kept, and sent when the connection is back', async ({
  page,
  context,
  pageErrors,
}) => {
  await openAsTestNumber(page, 'memeworld', '/redirectTo', 'memeworld');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const heart = page.locator('.like').first();
  const card = await page.locator('.meme-card').first().getAttribute('id');
  const likes = () =>
    page.evaluate(async () => (await (await fetch('/api/meme/mine')).json()).liked as number[]);
  const id = Number(card?.replace('meme-', ''));
  const before = (await likes()).includes(id);
  await context.setOffline(true);
  await heart.tap();
  await waitsToBeSent(page, `"about":"like ${id}"`);
  await expect(heart, 'not undone').toHaveAttribute('aria-pressed', String(!before));
  await context.setOffline(false);
  await expect.poll(async () => (await likes()).includes(id)).toBe(!before);
  await expect(heart).toHaveAttribute('aria-pressed', String(!before));
  expect(pageErrors.splice(0).filter(each => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(each))).toEqual([]);
});

test('a film that is put on the watchlist offline is kept there', async ({ page, context, pageErrors }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const marks = page.waitForResponse(/\/api\/tt\/mine\//);
  await page.goto(`${site('ttmbhatv')}/ttsingle/2/ttmbhatv`);
  await marks;
  const watchlist = page.getByRole('main').getByRole('button', { name: 'Watchlist', exact: true });
  const kept = () =>
    page.evaluate(async () => (await (await fetch('/api/tt/mine/ttmbhatv')).json()).watchlist.includes(2));
  const before = await kept();
  await expect(watchlist).toHaveAttribute('aria-pressed', String(before));
  // Chromium reports a service worker that could not be fetched as an error of the page.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await watchlist.tap();
  await waitsToBeSent(page, '"about":"watchlist 2"');
  await expect(watchlist).toHaveAttribute('aria-pressed', String(!before));
  await context.setOffline(false);
  await expect.poll(kept).toBe(!before);
  expect(pageErrors.splice(0).filter(each => !/ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(each))).toEqual([]);
});

test('every label has a web app manifest with its name and icon', async ({ page }) => {
  for (const label of ['mcfunny', 'madfunny', 'diski99', 'memeworld', 'ttmbhatv', 'racedaytv']) {
    await page.goto(`${site(label)}/terms`);
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      const reply = await fetch(link?.href ?? '');
      const { name, start_url, display, icons } = await reply.json();
      const pictures = await Promise.all(
        icons.map(async ({ src }: { src: string }) => (await fetch(src)).ok),
      );
      return { type: reply.headers.get('content-type'), name, start_url, display, pictures };
    });
    expect(manifest).toEqual({
      type: 'application/manifest+json',
      name: await page
        .getByRole('contentinfo')
        .evaluate(each => /© \d{4} (.+)\. All/.exec(each.textContent ?? '')?.[1]),
      start_url: '/',
      display: 'standalone',
      pictures: [true, true, true],
    });
  }
});

/** A TCP proxy to the gateway. While `held`, it accepts connections and forwards nothing, like a stalled mobile connection. */
async function startProxy() {
  let held = false;
  const server = createServer(near => {
    const far = connect(Number(process.env.E2E_PORT ?? '8080'), '127.0.0.1');
    near.on('data', bytes => held || far.write(bytes));
    far.on('data', bytes => held || near.write(bytes));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      held = true;
    },
    close: () => server.close(),
  };
}

test('without a response the cached page is shown after 3 s', async ({ page }) => {
  const line = await startProxy();
  const home = `http://mcfunny.localhost:${line.port}/allvideos/1/MC%20Funny/1`;
  await page.goto(home);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.reload();
  const cached = () =>
    page.evaluate(async () => {
      const shell = await (await caches.match('/shell'))?.text();
      const files = [...document.scripts].filter(({ src }) => src);
      const found = await Promise.all(files.map(({ src }) => caches.match(src)));
      return shell !== undefined && !/"session"|id="replies"/.test(shell) && found.every(Boolean);
    });
  await expect.poll(cached, 'the shell and its files are cached').toBe(true);

  line.hold();
  const requested = Date.now();
  await page.goto(home, { waitUntil: 'commit' });
  expect(Date.now() - requested).toBeGreaterThan(2900);
  await expect(page.locator('.video-card').first()).toBeVisible();
  line.close();
});
