import { expect } from '@playwright/test';
import {
  accessible,
  arrive,
  everyAddress,
  homeOf,
  isLight,
  join,
  opensOptIn,
  shot,
  site,
  test,
  withoutReplies,
} from './visit';

test('memeworld: join, like, and find the like again', async ({ page }) => {
  await join({ page, label: 'memeworld', form: '/memelogin', home: '/redirectTo' });
  const first = page.locator('.meme-card').first();
  await expect(first).toBeVisible();
  // A picture that is really there, not a broken frame.
  await expect
    .poll(() => first.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(50);
  await shot(page, 'memeworld-home');
  await accessible(page);

  // In a category, because its memes are the same after a reload; the home draws new ones.
  await page.getByRole('button', { name: 'Browse Category' }).click();
  await page.locator('.menu-large a').first().click();
  await page.waitForURL(/\/memeCategory\/1\/\d+\/memeworld/);
  const like = page.locator('.like').first();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveText('1');
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await shot(page, 'memeworld-category');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
});

const HOME = ['memeworld', '/redirectTo', 'memeworld'] as const;

test('memeworld: every address, on phones and desktops', async ({ page, browser }) => {
  await everyAddress(page, 'memeworld', [
    { address: '/', shows: 'Click on a meme to get started now!', name: 'front' },
    { address: '/memelogin?ext_ref=x', shows: 'Sign in to MEMEWORLD!', name: 'form' },
    { address: '/terms', shows: 'Terms and Conditions', name: 'terms' },
    { address: '/subscription', shows: 'Other ways to stop', name: 'leave' },
    { address: '/search?q=a', shows: /\d+ found/, name: 'search' },
    { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
  ]);
  await arrive(page, ...HOME);
  await everyAddress(page, 'memeworld', [
    {
      address: '/redirectTo?service=memeworld&msisdn=27600000000&result=active',
      shows: 'Welcome to Meme World, the best and quickest way to boost your social media game!',
      name: 'member',
    },
    { address: '/memeCategory/1/1/memeworld', shows: /\d{1,2} [A-Z]+, \d{4}/, name: 'category' },
    { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
  ]);
  await isLight(browser, `${site('memeworld')}/`);
});

test('memeworld: header, footer and grids are the specification’s', async ({ page }) => {
  await arrive(page, ...HOME);
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu.getByRole('link', { name: 'HOME' })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'CATEGORIES' })).toBeVisible();
  const here = page.url();
  await menu.getByRole('button', { name: 'UPLOAD' }).click();
  expect(page.url(), 'UPLOAD has no action').toBe(here);
  const edges = () =>
    menu.evaluate(each => {
      const { left, right, bottom } = each.getBoundingClientRect();
      return [left, right, bottom];
    });
  await expect.poll(edges, 'a full-screen menu').toEqual([0, 360, 740]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();

  const logo = page.getByRole('link', { name: 'MEMEWORLD, home' });
  await expect(logo).toHaveAttribute('href', new URL(homeOf(...HOME)).href.replace(site('memeworld'), ''));
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Terms and Conditions' })).toHaveAttribute('href', '/terms');
  await expect(footer.getByRole('link', { name: 'Want to unsubscribe' })).toHaveAttribute(
    'href',
    '/subscription',
  );
  await expect(footer).toContainText(/help@memeworld\.example[\s\S]*© \d{4} MEMEWORLD/);

  await page.goto(`${site('memeworld')}/memeCategory/1/1/memeworld`);
  const grid = page.locator('.grid-memes');
  await expect(grid).toBeVisible();
  const columns = () => grid.evaluate(each => getComputedStyle(each).gridTemplateColumns.split(' ').length);
  for (const [width, count] of [
    [360, 2],
    [767, 2],
    [768, 4],
    [1280, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(columns, `${count} columns at ${width} px`).toBe(count);
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^[^a-z]+$/);
});

test('memeworld: only https pictures, an empty category, and the opt-in without a subscription', async ({
  page,
}) => {
  await page.goto(`${site('memeworld')}/terms`);
  const detail = await page.evaluate(async () => (await fetch('/api/meme/getMemeValue/1')).json());
  detail.memeData[0].image = 'http://old.example/meme.webp';
  await withoutReplies(page);
  await page.route('**/api/meme/getMemeValue/1', route => route.fulfill({ json: detail }));
  await page.route('**/api/meme/getMemeValue/2', route =>
    route.fulfill({ json: { memeData: [], categoryName: 'Nothing' } }),
  );
  await page.goto(`${site('memeworld')}/memeCategory/0/1/memeworld`);
  await expect(page.locator('.meme-card'), 'eleven of twelve are behind https').toHaveCount(11);
  await expect(page.locator('.like').first()).toHaveText('0');
  await opensOptIn(page, () => page.locator('.like').first().click());
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'CATEGORIES' }).click();
  await opensOptIn(page, () => page.locator('.menu-list a').first().click());

  await page.goto(`${site('memeworld')}/memeCategory/1/2/memeworld`);
  await expect(page.getByText('There is no meme in this category!')).toBeVisible();
});

test('memeworld: the form takes digits only, the test number skips the network', async ({ page }) => {
  await page.goto(`${site('memeworld')}/memelogin`);
  const field = page.getByPlaceholder('Enter your phone number : eg 812xxxxxx');
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await field.pressSequentially('+27a60 000-0000');
  await expect(field).toHaveValue('27600000000');
  await expect(page.getByRole('main')).toContainText('R3/day · 18+ · how to stop');
  let asked = false;
  page.on('request', request => {
    asked ||= request.method() === 'POST' && new URL(request.url()).pathname === '/api/subscribe';
  });
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.waitForURL(/\/redirectTo\?service=memeworld&msisdn=27600000000&result=active$/);
  expect(asked).toBe(false);
});
