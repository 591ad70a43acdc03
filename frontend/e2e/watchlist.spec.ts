/** The watchlist page: pictures, removing and undoing, long lists, and the same without scripts. */
import { expect, type Page } from '@playwright/test';
import {
  checkScreens,
  expectNoAxeFindings,
  expectOnlyRefused,
  join,
  openAsTestNumber,
  screenshot,
  site,
  test,
  touchInput,
} from './visit';

/** Joins, and keeps the first five videos of the home page. Returns their names, the newest first. */
async function keepFive(page: Page): Promise<string[]> {
  await join({
    page,
    label: 'ttmbhatv',
    form: '/ttlogin',
    home: '/ttredirect',
    leads: 'Check, result 1: /ttredirect on ttmbhatv',
  });
  return page.evaluate(async () => {
    const rows = await (await fetch('/api/tt/getcatvideos/ttmbhatv')).json();
    const videos = rows.flatMap((row: { videos: { id: number }[] }) => row.videos).slice(0, 5);
    for (const { id } of videos)
      await fetch('/api/tt/ttaddwatchlist', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ videoid: id, service: 'ttmbhatv' }),
      });
    const kept = await (await fetch('/api/tt/getTTWatchlist/ttmbhatv')).json();
    return kept.map(({ name }: { name: string }) => name);
  });
}

const cards = (page: Page) => page.locator('main .kept');
const titles = (page: Page) => page.locator('main .kept .video-card-title');
const kept = (page: Page) =>
  page.evaluate(async () =>
    (await (await fetch('/api/tt/getTTWatchlist/ttmbhatv')).json()).map(({ name }: { name: string }) => name),
  );

test('a video is removed by a tap and comes back by Undo at its place', async ({ page }) => {
  const names = await keepFive(page);
  await page.goto(`${site('ttmbhatv')}/`);
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('button', { name: 'WATCHLIST' }).tap();
  await page.getByRole('link', { name: 'All with pictures' }).tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Watchlist' })).toBeVisible();
  await expect(titles(page)).toHaveText(names);
  await expect(cards(page).locator('img').first()).toBeVisible();
  await screenshot(page, 'watchlist-360');
  await checkScreens(page, 'watchlist');
  await page.setViewportSize({ width: 320, height: 568 });
  const second = names[1] as string;
  await page.getByRole('button', { name: `Remove ${second} from the watchlist` }).tap();
  await expect(titles(page)).toHaveText(names.filter(name => name !== second));
  await expect.poll(() => kept(page)).toEqual(names.filter(name => name !== second));
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await expect(undo).toBeInViewport();
  await expectNoAxeFindings(page);
  await screenshot(page, 'watchlist-undo-320');
  await undo.tap();
  await expect(titles(page)).toHaveText(names);
  await expect.poll(async () => (await kept(page)).sort()).toEqual([...names].sort());
  for (const name of names)
    await page.getByRole('button', { name: `Remove ${name} from the watchlist` }).tap();
  await expect(page.getByText(/^Your watchlist is empty. Tap/)).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).tap();
  await checkScreens(page, 'watchlist-empty');
});

test('a failed removal shows an alert, and the video is back', async ({ page, pageErrors }) => {
  const names = await keepFive(page);
  await page.goto(`${site('ttmbhatv')}/watchlist`);
  await expect(titles(page)).toHaveText(names);
  await page.route('**/api/tt/ttremove', route => route.fulfill({ status: 503, json: { status: 503 } }));
  const told = page.waitForEvent('dialog');
  await page
    .getByRole('button', { name: `Remove ${names[0]} from the watchlist` })
    .click({ noWaitAfter: true });
  const dialog = await told;
  expect(dialog.message()).toBe('Failed to remove video. Please try again.');
  await dialog.accept();
  await expect(titles(page)).toHaveText(names);
  expectOnlyRefused(pageErrors, '503');
});

test('two hundred videos: about sixty cards in the document, pictures of those near the screen', async ({
  page,
}) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const { artist, imgurl, duration_s, bytes } = await page.evaluate(async () =>
    (await fetch('/api/tt/ttsinglevideo/1')).json(),
  );
  await page.route('**/api/tt/getTTWatchlist/*', route =>
    route.fulfill({
      json: Array.from({ length: 200 }, (_, place) => ({
        id: place + 1,
        videoid: place + 1,
        name: `Film ${place + 1}`,
        artist,
        imgurl,
        duration_s,
        bytes,
      })),
    }),
  );
  let asked = 0;
  await page.route('**/api/tt/ttsinglevideo/*', route => {
    asked += 1;
    return route.abort();
  });
  await page.goto(`${site('ttmbhatv')}/watchlist`);
  await expect(titles(page).first()).toHaveText('Film 1');
  await expect(cards(page).locator('img').first()).toBeVisible();
  const { drag } = await touchInput(page);
  const end = page.getByText('That is all: 200 in this list.');
  const isThere = () =>
    end.evaluateAll(ends => ends.some(each => each.getBoundingClientRect().top < innerHeight));
  for (let stop = 0; !(await isThere()); stop++) {
    expect(stop).toBeLessThan(60);
    // Beside the cards: a finger that rests on one requests its film.
    await drag({ x: 4, y: 600 }, 0, -4500);
    await page.waitForTimeout(300);
    expect(await cards(page).count()).toBeLessThanOrEqual(70);
  }
  await expect(titles(page).last()).toHaveText('Film 200');
  expect(asked).toBe(0);
});

test('without scripts the list has pictures, and a video can be removed', async ({ page, browser }) => {
  const names = await keepFive(page);
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    viewport: { width: 360, height: 740 },
  });
  const read = await plain.newPage();
  await read.goto(`${site('ttmbhatv')}/watchlist`);
  const list = read.locator('main .video-card-title');
  await expect(list).toHaveText(names);
  await expect(read.locator('main img').first()).toBeVisible();
  await read.screenshot({ path: 'test-results/watchlist-plain.png' });
  await read.getByRole('button', { name: `Remove ${names[0]}` }).click();
  await expect(list).toHaveText(names.slice(1));
  expect(new URL(read.url()).pathname).toBe('/watchlist');
  await plain.close();
  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const other = await stranger.newPage();
  await other.goto(`${site('ttmbhatv')}/watchlist`);
  await expect(other.locator('main .notice')).toContainText('to keep a watchlist');
  await stranger.close();
});
