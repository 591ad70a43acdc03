/** Features beyond the specification: search, sharing, the hint about sound, minutes and megabytes on cards. */
import { expect, type Page } from '@playwright/test';
import { openAsTestNumber, site, test } from './visit';

test('the search finds words in any letter case, within the brand only', async ({ page }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('BROTHER other');
  await expect(page.getByRole('status').filter({ hasText: 'found' })).toHaveText('1 found');
  expect(new URL(page.url()).searchParams.get('q')).toBe('BROTHER other');
  await page.locator('.video-card').click();
  await page.waitForURL(/\/ttsingle\/\d+\/ttmbhatv/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Other Brother');
  // Going back restores the query.
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('BROTHER other');
  await page.goto(`${site('racedaytv')}/search?q=brother%20other`);
  await expect(page.getByText('Nothing found. Try another word.')).toBeVisible();
});

test('the search page is full before a letter is typed', async ({ page }) => {
  for (const [label, chip, opens] of [
    ['mcfunny', '.search-faces a', /\/allvideos\//],
    ['ttmbhatv', '.search-faces a', /\/ttcategory\//],
    ['ttmbhatv', '.video-card', /\/ttsingle\//],
    ['memeworld', '.search-faces a', /\/memeCategory\//],
    ['memeworld', '.meme-open', /meme=/],
  ] as const) {
    await page.goto(`${site(label)}/search`);
    const links = page.getByRole('main').locator(chip);
    await expect(links.nth(2)).toBeVisible();
    await links.first().tap();
    await page.waitForURL(opens);
  }
});

/** A list of the search page before a letter is typed. */
const listOf = (page: Page, heading: string) =>
  page.locator('.search-section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });

/** Opens the search page until the most liked have the title: replies are cached for a second. */
const expectMostLiked = (page: Page, label: string, title: string) =>
  expect(async () => {
    await page.goto(`${site(label)}/search`);
    await expect(listOf(page, 'Most liked')).toContainText(title, { timeout: 5000 });
  }).toPass();

test('video on demand: the most liked and the newest stand on the search page', async ({ page }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const all: { id: number; name: string; datetime: string }[] = await page.evaluate(async () =>
    (await fetch('/api/tt/search/ttmbhatv')).json(),
  );
  // Of two with as many likes, the one with the higher id is first.
  const { id, name } = all.reduce((one, other) => (one.id > other.id ? one : other));
  const tapLike = async (call: string) => {
    await page.goto(`${site('ttmbhatv')}/ttsingle/${id}/ttmbhatv`);
    const sent = page.waitForResponse(`**/api/tt/${call}`);
    await page.getByRole('button', { name: 'Like', exact: true }).tap();
    expect((await sent).ok()).toBe(true);
  };
  await tapLike('likevideo');
  await expectMostLiked(page, 'ttmbhatv', name);
  const newest = listOf(page, 'New').locator('.video-card-title');
  await expect(newest.first()).toBeVisible();
  const titles = await newest.allTextContents();
  expect(titles).toEqual(all.slice(0, titles.length).map(each => each.name));
  expect(titles.length).toBeGreaterThan(8);
  const dates = all.map(({ datetime }) => datetime);
  expect(dates).toEqual([...dates].sort().reverse());
  await listOf(page, 'Most liked').getByRole('link', { name }).tap();
  await page.waitForURL(new RegExp(`/ttsingle/${id}/ttmbhatv`));
  await tapLike('unlikevideo');
});

test('memes: the most liked and the newest stand on the search page, and each opens', async ({ page }) => {
  await openAsTestNumber(page, 'memeworld', '/redirectTo', 'memeworld');
  await page.goto(`${site('memeworld')}/search`);
  const card = listOf(page, 'New').locator('.meme-card').first();
  const title = (await card.getByRole('heading').textContent()) ?? '';
  const sent = page.waitForResponse('**/api/meme/postlike');
  await card.getByRole('button', { name: /^Like / }).tap();
  expect((await sent).ok()).toBe(true);
  await expectMostLiked(page, 'memeworld', title);
  await expect(listOf(page, 'New').locator('.meme-card').first()).toBeVisible();
  const ids = await page.locator('.meme-card').evaluateAll(all => all.map(each => each.id));
  expect(ids).toEqual([...new Set(ids)]);
  for (const heading of ['Most liked', 'New']) {
    const open = listOf(page, heading).locator('.meme-open').last();
    const name = ((await open.getAttribute('aria-label')) ?? '').replace('Open ', '');
    await open.tap();
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  const liked = listOf(page, 'Most liked').locator('.meme-card').filter({ hasText: title });
  const unsent = page.waitForResponse('**/api/meme/unlike');
  await liked.getByRole('button', { name: /^Like / }).tap();
  expect((await unsent).ok()).toBe(true);
});

test('comedy and football: the newest videos and all faces stand on the search page', async ({ page }) => {
  for (const [label, faces, opens] of [
    ['mcfunny', 'Comedians', /^\/video\/\d+\//],
    ['diski99', 'Footballers', /^\/diskisingle\/\d+\//],
  ] as const) {
    await openAsTestNumber(page, label, label === 'mcfunny' ? '/redirect' : '/doRedirect', label);
    await page.goto(`${site(label)}/search`);
    await expect(listOf(page, faces).locator('.artist-chip').first()).toBeVisible();
    await expect(listOf(page, 'Most liked'), 'neither has likes').toHaveCount(0);
    await listOf(page, 'New').locator('.video-card').first().tap();
    await page.waitForURL(url => opens.test(url.pathname));
  }
});

test('the headings of the search page are in every language, at 320 px', async ({ page, context }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  for (const [language, newest] of [
    ['en', 'New'],
    ['af', 'Nuut'],
    ['xh', 'Okutsha'],
    ['zu', 'Okusha'],
    ['st', 'Tse ntjha'],
    ['tn', 'Tse disha'],
  ] as const) {
    await context.addCookies([{ name: 'language', value: language, url: site('racedaytv') }]);
    await page.goto(`${site('racedaytv')}/search`);
    await expect(listOf(page, newest).locator('.video-card').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.screenshot({ path: `test-results/search-${language}.png` });
  }
});

test('sharing opens the share sheet with an address without a number', async ({ page }) => {
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    navigator.share = async data => {
      shared.push(data ?? {});
    };
  });
  const shared = () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1?msisdn=27812345678&result=active`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  await expect.poll(shared).toEqual([{ title, url: `${site('mcfunny')}/video/1/MC%20Funny/1` }]);
});

test('without Web Share the link is copied, and a toast says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site('mcfunny') });
  await page.addInitScript(() => Object.assign(navigator, { share: undefined }));
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1?msisdn=27812345678&result=active`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText('The link is copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${site('mcfunny')}/video/1/MC%20Funny/1`,
  );
});

test('a muted video shows "Tap for sound"', async ({ page }) => {
  // In tests Chromium allows sound without a tap, so the page blocks unmuted playback itself.
  await page.addInitScript(() => {
    let tapped = false;
    addEventListener('pointerdown', ({ isTrusted }) => {
      tapped ||= isTrusted;
    });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      const refused = () => Promise.reject(new DOMException('No tap yet', 'NotAllowedError'));
      return this.muted || tapped ? play.call(this) : refused();
    };
  });
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  const hint = page.getByRole('button', { name: 'Tap for sound' });
  await expect(hint).toBeVisible();
  const state = () =>
    page.locator('video').evaluate((each: HTMLVideoElement) => ({ muted: each.muted, paused: each.paused }));
  await expect.poll(state).toEqual({ muted: true, paused: false });
  await hint.click();
  await expect(hint).toHaveCount(0);
  await expect.poll(state).toEqual({ muted: false, paused: false });
});

test('every video card shows minutes and megabytes', async ({ page }) => {
  for (const [label, address] of [
    ['mcfunny', '/allvideos/1/MC%20Funny/1'],
    ['diski99', '/artistvideos/1/diski99/1'],
    ['ttmbhatv', '/'],
    ['racedaytv', '/search?q=a'],
  ] as const) {
    await page.goto(site(label) + address);
    await expect(page.locator('.video-card').first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    // Further rows follow the first screen.
    const cards = page.locator('.video-card:not([aria-hidden])');
    const costs = cards.locator('.video-card-cost');
    await expect(cards.filter({ hasNot: page.locator('.video-card-cost') }), label).toHaveCount(0);
    for (const cost of await costs.allTextContents()) expect(cost).toMatch(/^\d+:\d\d · \d+\.\d MB$/);
  }
});
