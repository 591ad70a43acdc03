/// <reference types="node" />
/** Without a connection: the installed site still opens, says so, and comes back by itself. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from '@playwright/test';
import { site, test } from './visit';

test.use({ serviceWorkers: 'allow' });

test('the site opens offline, and shows again what was seen', async ({ page, context, mishaps }) => {
  await page.goto(`${site('diski99')}/artistvideos/1/diski99/1`);
  await expect(page.locator('.video-card').first()).toBeVisible();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // A second visit passes through the service worker, which keeps what goes by.
  await page.reload();
  await expect(page.locator('.video-card').first()).toBeVisible();
  const kept = () =>
    page.evaluate(async () => {
      const addresses: string[] = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
      const wanted = ['/', '/api/diski/fetchVideos/1', '/api/diski/fetchArtist'];
      const chunks = ['/assets/search-artists.', '/assets/leave.'];
      return [
        ...wanted.filter(each => !addresses.includes(each)),
        ...chunks.filter(each => !addresses.some(address => address.startsWith(each))),
      ];
    });
  await expect.poll(kept, 'still to be kept').toEqual([]);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText('You are offline. What you see may be old.')).toBeVisible();
  await expect(page.locator('.video-card').first()).toBeVisible();

  // How to stop is there without a connection as well.
  await page.getByRole('link', { name: 'Want to unsubscribe' }).click();
  await expect(page.getByRole('heading', { name: 'Other ways to stop' })).toBeVisible();
  await page.goBack();

  // What was never seen says so, and loads once the connection is back.
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('taxi');
  await expect(page.getByRole('alert').getByText('You are offline.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/\d+ found/)).toBeVisible();
  await expect(page.getByText('You are offline.')).toHaveCount(0);
  // Only calls that failed for want of a connection, and the one that asks who is there: the kept frame does not say.
  const expected = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|\/api\/subscribe\/me/;
  expect(mishaps.splice(0).filter(each => !expected.test(each))).toEqual([]);
});

test('every label can be installed under its own name and icon', async ({ page }) => {
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

/** A TCP proxy to the gateway. While `held`, it accepts requests and passes nothing on, as a mobile line does that has died half. */
async function openLine() {
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

test('a line that does not respond shows the cached page after 3 s', async ({ page }) => {
  const line = await openLine();
  const home = `http://mcfunny.localhost:${line.port}/allvideos/1/MC%20Funny/1`;
  await page.goto(home);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.reload();
  const cached = () =>
    page.evaluate(async () => {
      const shell = await (await caches.match('/'))?.text();
      const files = [...document.scripts].filter(({ src }) => src);
      const found = await Promise.all(files.map(({ src }) => caches.match(src)));
      return shell !== undefined && !/"session"|id="replies"/.test(shell) && found.every(Boolean);
    });
  await expect.poll(cached, 'the shell and its files are cached').toBe(true);

  line.hold();
  const asked = Date.now();
  await page.goto(home, { waitUntil: 'commit' });
  expect(Date.now() - asked).toBeGreaterThan(2900);
  await expect(page.locator('.video-card').first()).toBeVisible();
  line.close();
});
