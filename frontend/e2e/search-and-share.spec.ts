/** Features beyond the specification: search, sharing, the hint about sound, minutes and megabytes on cards. */
import { expect } from '@playwright/test';
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
