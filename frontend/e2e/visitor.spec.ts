/** Visitors without a session, declined joins, several tabs, dates and error messages. */
import { expect, type Page } from '@playwright/test';
import {
  expectNoAxeFindings,
  expectOnlyRefused,
  homeOf,
  join,
  openAsTestNumber,
  prove,
  removeEmbeddedReplies,
  site,
  test,
} from './visit';

const bar = (page: Page, name: string) => page.getByRole('complementary', { name, exact: true });

test('the logo links to the home page without a number, and the price stays visible', async ({ page }) => {
  await page.goto(`${site('memeworld')}/`);
  await expect(bar(page, 'Join')).toContainText('R3/day');
  await page.getByRole('link', { name: 'MEMEWORLD, home' }).click();
  await page.waitForURL(/\/redirectTo\?service=memeworld&msisdn=&result=active$/);
  await expect(bar(page, 'Join')).toContainText('R3/day');
  await page.reload();
  await expect(bar(page, 'Join')).toContainText('R3/day');
  await expect(bar(page, "Confirm it's you")).toHaveCount(0);
});

test('a like without a session offers to join, with the price', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', request => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await page.goto(`${site('memeworld')}/`);
  const like = page.locator('.like').first();
  const offer = page.getByRole('dialog', { name: 'Join MEMEWORLD to like' });
  await like.click();
  await expect(offer).toContainText('R3/day · 18+ · how to stop');
  await expectNoAxeFindings(page);
  await page.screenshot({ path: 'test-results/memeworld-offer.png' });
  await offer.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
  await expect(like, 'the focus is where it was').toBeFocused();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await like.click();
  await offer.getByRole('link', { name: 'JOIN' }).click();
  await page.waitForURL(`${site('memeworld')}/memelogin`);
  expect(sent.filter(path => path.includes('like'))).toEqual([]);
});

test('a heart a subscriber without a session is asked to confirm the number', async ({ page }) => {
  await page.goto(`${site('memeworld')}/redirectTo?service=memeworld&msisdn=27812345678&result=active`);
  await page.locator('.like').first().click();
  const offer = page.getByRole('dialog', { name: "Confirm it's you to like" });
  await expect(offer.getByRole('button', { name: "Confirm it's you" })).toBeVisible();
  await expect(offer).toContainText('That costs nothing.');
});

test('wherever a number is to be confirmed, the page says that it costs nothing', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/ttredirect?service=ttmbhatv&msisdn=27812345678&result=active`);
  await expect(bar(page, "Confirm it's you")).toContainText('It costs nothing.');
  await page.locator('.video-card:not([aria-hidden])').first().tap();
  const lock = page.locator('.player-gate-box');
  await expect(lock.getByRole('button', { name: "Confirm it's you" })).toBeVisible();
  await expect(lock).toContainText('That costs nothing.');
  await expect(lock).not.toContainText('R3');
  for (const address of ['/watchlist', '/mine']) {
    await page.goto(site('ttmbhatv') + address);
    const main = page.getByRole('main');
    await expect(main.getByRole('button', { name: "Confirm it's you" })).toBeVisible();
    await expect(main).toContainText('It costs nothing.');
  }
});

test('a subscriber who opens the join form reads that it runs, and goes home', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/login`);
  await expect(page.getByText('You are subscribed to MC Funny already.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to MC Funny' }).tap();
  await page.waitForURL(`${site('mcfunny')}/redirect?**`);
  await expect(page.locator('.deck-card').first()).toBeVisible();
});

test('an address of a film that cannot be one leads home', async ({ page, pageErrors }) => {
  await page.goto(`${site('mcfunny')}/video/abc/MC%20Funny/1`);
  await page.getByRole('link', { name: 'Go to the home page' }).tap();
  await page.waitForURL(`${site('mcfunny')}/`);
  expectOnlyRefused(pageErrors, '400', '404');
});

test('a join declined at the network is reported on the front page', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/login`);
  await page.locator('input[name="msisdn"]').fill('0811230002');
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.waitForURL(`${site('mcfunny')}/`);
  const messages = page.getByText(
    'You have not joined MC Funny: your network has not confirmed it. Nothing is charged.',
  );
  await expect(messages).toBeVisible();
  await expect(bar(page, 'Join')).toContainText('R3/day');
  await expectNoAxeFindings(page);
  await page.screenshot({ path: 'test-results/mcfunny-declined.png' });
  // The notice belongs to this navigation only.
  await page.getByRole('link', { name: 'Want to unsubscribe' }).click();
  await page.goto(`${site('mcfunny')}/`);
  await expect(messages).toHaveCount(0);
});

test('a like in one tab is shown in the other', async ({ page, context }) => {
  await openAsTestNumber(page, 'memeworld', '/redirectTo', 'memeworld');
  const address = `${site('memeworld')}/memeCategory/1/1/memeworld`;
  await page.goto(address);
  const other = await context.newPage();
  await other.goto(address);
  const [here, there] = [page, other].map(each => each.locator('.like').last());
  if (!here || !there) throw new Error('No hearts');
  const before = (await here.getAttribute('aria-pressed')) === 'true';
  await expect(there).toHaveAttribute('aria-pressed', String(before));
  for (const pressed of [!before, before]) {
    await here.click();
    await expect(here).toHaveAttribute('aria-pressed', String(pressed));
    await expect(there).toHaveAttribute('aria-pressed', String(pressed));
  }
});

test('a join and a leave in one tab change the other', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto(`${site('mcfunny')}/`);
  await expect(bar(other, 'Join')).toBeVisible();
  await join({
    page,
    label: 'mcfunny',
    form: '/login',
    home: '/redirect',
    leads: 'Check, result 1: /redirect on mcfunny',
  });
  await expect(bar(other, 'Join')).toHaveCount(0);
  await page.goto(`${site('mcfunny')}/subscription`);
  await page.getByRole('button', { name: 'Unsubscribe now' }).click();
  await expect(page.getByText('You have left MC Funny')).toBeVisible();
  await expect(bar(other, 'Join')).toBeVisible();
});

test('a tab that becomes visible requests the session', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/allvideos/1/MC%20Funny/1`);
  await page.waitForLoadState('networkidle');
  const requested = page.waitForRequest('**/api/subscribe/me');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await requested;
});

test('dates are those of Johannesburg', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const me = await page.evaluate(async () => (await fetch('/api/subscribe/me')).json());
  await page.route('**/api/subscribe/me', route =>
    route.fulfill({ json: { ...me, since: '2026-11-23 23:10:00', next_charge: '2026-11-25' } }),
  );
  await page.goto(`${site('mcfunny')}/subscription`);
  await expect(page.getByText('24 November 2026', { exact: true })).toBeVisible();
  await expect(page.getByText('25 November 2026', { exact: true })).toBeVisible();
});

test('every network is among the ways to stop', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/subscription`);
  await expect(page.locator('.codes li')).toHaveText([/Vodacom/, /MTN/, /Cell C/, /Telkom 081 180/]);
  await expect(page.getByRole('link', { name: '081 180' })).toHaveAttribute('href', 'tel:081180');
});

test('a server error is not reported as a lost connection', async ({ page, pageErrors }) => {
  await removeEmbeddedReplies(page);
  const words = new Map([
    [400, 'The link may be wrong or incomplete.'],
    [429, 'Please wait a minute.'],
    [503, 'The problem is on our side.'],
  ]);
  for (const [status, says] of words) {
    await page.route('**/api/madfunny/fetchVideos/1', route => route.fulfill({ status, json: { status } }));
    await page.goto(`${site('mcfunny')}/allvideos/1/MC%20Funny/1`);
    await expect(page.getByRole('alert')).toContainText(says);
    await expect(page.getByRole('alert')).not.toContainText('connection');
  }
  expectOnlyRefused(pageErrors, '400', '429', '503');
});

test('another brand’s home address redirects to this brand’s home', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/redirectTo?service=memeworld&msisdn=27812345678&result=active`);
  await page.waitForURL(`${site('mcfunny')}/redirect?service=MC%20Funny&msisdn=27812345678&result=active`);
  await expect(page.locator('.deck')).toBeVisible();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${site('memeworld')}/ttredirect`);
  await page.waitForURL(`${site('memeworld')}/`);
  await expect(page.locator('.meme-card').first()).toBeVisible();
});

test('a page whose code is lost is the page that the server draws', async ({ page, pageErrors }) => {
  await page.route(/\/assets\/legal\..*\.js/, route => route.abort());
  await page.goto(homeOf('memeworld', '/redirectTo', 'memeworld'));
  await page.getByRole('link', { name: 'Terms and Conditions' }).click();
  await prove('/terms are the Meme World terms', () =>
    expect(page.getByRole('heading', { level: 1 })).toContainText('Terms'),
  );
  await expect(page.locator('html')).not.toHaveClass(/running/);
  expectOnlyRefused(pageErrors, 'ERR_FAILED', 'ChunkLoadError', 'Loading chunk legal failed');
});

test('a page whose code fails to load offline shows an error, and loads again online', async ({
  page,
  context,
  pageErrors,
}) => {
  await page.goto(homeOf('memeworld', '/redirectTo', 'memeworld'));
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Terms and Conditions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page did not load.');
  await expect(page.getByRole('link', { name: 'MEMEWORLD, home' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Want to unsubscribe' })).toBeVisible();
  await expectNoAxeFindings(page);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Terms');
  expectOnlyRefused(pageErrors, 'ERR_INTERNET_DISCONNECTED', 'ChunkLoadError', 'Loading chunk legal failed');
});

test('a page that fails while it runs is the page that the server draws', async ({ page, pageErrors }) => {
  await page.addInitScript(() =>
    Object.defineProperty(Document.prototype, 'title', {
      set() {
        throw new Error('a browser without titles');
      },
    }),
  );
  await page.goto(`${site('mcfunny')}/`, { waitUntil: 'load' });
  await expect(page.locator('script')).toHaveCount(0);
  await page.getByRole('main').getByRole('link').first().click();
  await page.waitForURL('**/allvideos/**');
  await expect(page.locator('script')).toHaveCount(0);
  expectOnlyRefused(pageErrors, 'without titles');
});

test('a service of another brand in the address is ignored', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', request => requested.push(request.url()));
  await page.goto(`${site('ttmbhatv')}/ttredirect?service=raceday&msisdn=&result=Active`);
  const links = page.locator('main .video-card');
  await expect(links.first()).toHaveAttribute('href', /^\/ttsingle\/\d+\/ttmbhatv$/);
  await expect(page.getByRole('banner')).toContainText('TTMbha TV');
  await links.first().click();
  await page.waitForURL('**/ttsingle/*/ttmbhatv');
  // The path names a service, too.
  await page.goto(page.url().replace(/ttmbhatv$/, 'raceday'));
  await expect(page.locator('main .related, main .carousel-row').locator('a').first()).toHaveAttribute(
    'href',
    /\/ttmbhatv$/,
  );
  expect(requested.filter(url => /api\/.*(raceday)/.test(url))).toEqual([]);
});
