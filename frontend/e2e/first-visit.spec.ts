/** A first visitor's way by touch: five taps from the home to a film that plays or a meme, and what was liked is found again. */
import { expect, type Locator, type Page } from '@playwright/test';
import { newNumber, site, test } from './visit';

const MOST_TAPS = 5;
const nowInFeed = (page: Page) => page.locator('.feed li:not([inert])');
const quickLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name });

/** Joins from the home. The returned function taps, and answers how many taps there were. */
async function join(page: Page, label: string): Promise<(what: Locator) => Promise<number>> {
  let taps = 0;
  const tap = async (what: Locator) => {
    await what.tap();
    return ++taps;
  };
  await page.goto(`${site(label)}/`);
  await tap(page.getByRole('complementary', { name: 'Join' }).getByRole('link', { name: 'JOIN' }));
  await tap(page.locator('input[name=msisdn]'));
  await page.keyboard.type(newNumber());
  await tap(page.getByRole('button', { name: 'JOIN' }));
  await tap(page.getByRole('button', { name: 'Confirm' }));
  await expect(page.locator('.return-news')).toContainText('You have joined');
  return tap;
}

/** Opens Mine by the bar: the section shows the title with its picture. */
async function expectOnMine(page: Page, section: string, title: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible();
  const list = page.locator('.mine-section').filter({ has: page.getByRole('heading', { name: section }) });
  await expect(list.locator('li')).toContainText([title]);
  const picture = list.locator('li img');
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(50);
}

for (const label of ['mcfunny', 'diski99', 'ttmbhatv'])
  test(`${label}: a first visitor reaches a playing film in five taps`, async ({ page }) => {
    const tap = await join(page, label);
    expect(await tap(quickLink(page, 'Watch'))).toBeLessThanOrEqual(MOST_TAPS);
    const film = nowInFeed(page).locator('video');
    await expect.poll(() => film.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.1);
    if (label !== 'ttmbhatv') return;
    const title = (await film.getAttribute('aria-label')) ?? '';
    for (const name of ['Like', 'Watchlist']) {
      const saved = page.waitForResponse(reply => reply.request().method() === 'POST' && reply.ok());
      await tap(page.getByRole('button', { name, exact: true }));
      await saved;
    }
    await tap(quickLink(page, 'Mine'));
    await expectOnMine(page, 'Watchlist', title);
    await expectOnMine(page, 'Liked', title);
  });

test('memeworld: a first visitor opens a meme in five taps, sends its picture and finds it on Mine', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files = [] }: ShareData) =>
        Object.assign(window, { shared: files.map(({ name, type, size }) => ({ name, type, size })) }),
    }),
  );
  const tap = await join(page, 'memeworld');
  const card = page.locator('.meme-open').first();
  const title = ((await card.getAttribute('aria-label')) ?? '').replace('Open ', '');
  expect(await tap(card)).toBeLessThanOrEqual(MOST_TAPS);
  const viewer = page.getByRole('dialog', { name: title });
  await expect
    .poll(() => viewer.locator('li:not([inert]) img').evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(50);
  await tap(viewer.getByRole('button', { name: 'Share' }));
  const shared = () =>
    page.evaluate(() => (window as { shared?: { name: string; type: string; size: number }[] }).shared?.[0]);
  await expect.poll(shared).toMatchObject({ type: 'image/webp', name: expect.stringMatching(/\w\.webp$/) });
  expect((await shared())?.size, 'bytes').toBeGreaterThan(2000);
  const file = page.waitForEvent('download');
  await tap(viewer.getByRole('link', { name: 'Save' }));
  expect((await file).suggestedFilename()).toMatch(/\w\.webp$/);
  const saved = page.waitForResponse('**/api/meme/postlike');
  await tap(viewer.getByRole('button', { name: /^Like / }));
  await saved;
  await tap(viewer.getByRole('button', { name: 'Close' }));
  await tap(quickLink(page, 'Mine'));
  await expectOnMine(page, 'Liked', title);
});
