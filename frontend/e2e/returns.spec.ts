/** Returns from the network: what was wanted comes back, and the page says only what the record says. */

import { expect } from '@playwright/test';
import { expectNoAxeFindings, expectOnlyRefused, newNumber, site, test } from './visit';

const DECLINED = 'Nothing is charged.';

for (const [label, path, tapped, continued] of [
  ['ttmbhatv', '/ttsingle/3/ttmbhatv', 'Watchlist', '/ttsingle/3/ttmbhatv'],
  ['memeworld', '/memeCategory/0/1/memeworld', /^Like /, '/memeCategory/1/1/memeworld'],
] as const)
  test(`${label}: an opt-in begun by a tap opens the session, and what was wanted goes on`, async ({
    page,
  }) => {
    const number = newNumber();
    await page.goto(`${site(label)}${path}`);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: tapped }).first().click(),
    ]);
    await tab.getByLabel('Your mobile number').fill(number);
    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('button', { name: 'Confirm' }).click();
    await tab.waitForURL(/result=active/);
    const notice = tab.locator('.return-news');
    await expect(notice).toContainText('You have joined');
    await expect(notice).toContainText('R3 is charged today. To stop, SMS STOP to 31222.');
    await expectNoAxeFindings(tab);
    await expect(tab.getByRole('complementary', { name: 'Join' })).toHaveCount(0);
    await notice.getByRole('link', { name: /^Continue/ }).click();
    await tab.waitForURL(`${site(label)}${continued}`);
    // Once.
    await expect(notice).toHaveCount(0);
    if (label === 'ttmbhatv') await expect(tab.locator('video')).toBeVisible();
    else await expect(tab.getByRole('button', { name: tapped }).first()).toBeEnabled();
    // The tab from which it began knows it, too.
    await expect(page.getByRole('complementary', { name: 'Join' })).toHaveCount(0);
  });

test('ttmbhatv: a locked film comes back after the join', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/ttsingle/3/ttmbhatv`);
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  await page.getByRole('link', { name: 'Join now' }).click();
  await page.waitForURL(/\/ttlogin\?page=/);
  await page.locator('input[name=msisdn]').fill(newNumber());
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('link', { name: `Continue: ${title}` }).click();
  await page.waitForURL(`${site('ttmbhatv')}/ttsingle/3/ttmbhatv`);
  await expect(page.locator('video')).toBeVisible();
});

test('mcfunny: an older declined link says nothing against an open session', async ({ page }) => {
  const number = newNumber();
  const join = async (answer: 'Confirm' | 'Decline') => {
    await page.goto(`${site('mcfunny')}/login`);
    await page.locator('input[name=msisdn]').fill(number);
    await page.getByRole('button', { name: 'JOIN' }).click();
    const back = page.waitForRequest(/\/DoiRedirect\?/);
    await page.getByRole('button', { name: answer }).click();
    return (await back).url();
  };
  const declined = await join('Decline');
  await expect(page.getByText(DECLINED)).toBeVisible();
  await join('Confirm');
  await page.waitForURL(/\/redirect\?.*result=active/);
  await page.goto(declined);
  await page.waitForURL(/\/redirect\?.*result=active/);
  await expect(page.getByText(DECLINED)).toHaveCount(0);
  await page.goto(`${site('mcfunny')}/`);
  await expect(page.getByText(DECLINED)).toHaveCount(0);
  // On the join form she reads that she is in.
  await page.goto(`${site('mcfunny')}/login`);
  await expect(page.getByText('You are subscribed to MC Funny already.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to MC Funny' }).click();
  await page.waitForURL(/\/redirect\?/);
});

test('mcfunny: a browser without cookies reads so before anything is charged', async ({
  page,
  pageErrors,
}) => {
  // As a browser that refuses cookies: no script may set one, and none is sent.
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => false }),
  );
  const calls: string[] = [];
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/api/subscribe') calls.push(request.url());
  });
  await page.goto(`${site('mcfunny')}/login`);
  // Before the application has started the form goes to the server, which knows this browser's real cookies.
  await expect(page.locator('html[data-hydrated]')).toBeAttached();
  await page.context().clearCookies();
  await page.locator('input[name=msisdn]').fill(newNumber());
  await page.getByRole('button', { name: 'JOIN' }).click();
  await expect(page.getByRole('alert')).toContainText('Your browser keeps no cookies');
  expect(calls).toEqual([]);
  expectOnlyRefused(pageErrors, '422');
});

test('mcfunny: with every script refused the return page goes on to an open session', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.route('**/assets/**/*.js', route => route.abort());
  await page.route('**/assets/*.js', route => route.abort());
  await page.goto(`${site('mcfunny')}/login?page=/terms`);
  await page.locator('input[name=msisdn]').fill(newNumber());
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(/\/redirect\?.*result=active/);
  await expect(page.locator('.return-news')).toContainText('You have joined MC Funny: R3 is charged today.');
  const me = await page.evaluate(async () => (await fetch('/api/subscribe/me')).status);
  expect(me).toBe(200);
  await context.close();
});
