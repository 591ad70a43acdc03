import { expect } from '@playwright/test';
import {
  accessible,
  arrive,
  everyAddress,
  expectGate,
  expectPlaying,
  isLight,
  join,
  lifeOf,
  pastHowTo,
  shot,
  site,
  swipe,
  test,
  watchIcons,
} from './visit';

test('mcfunny: join, swipe right, watch', async ({ page, browser }) => {
  await join({ page, label: 'mcfunny', form: '/login', home: '/redirect' });
  await pastHowTo(page);
  await shot(page, 'mcfunny-home');
  await accessible(page);

  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/\d+\/MC%20Funny\/1/);
  await page.locator('.video-card').first().click();
  await page.waitForURL(/\/video\/\d+\/MC%20Funny\/\d+/);
  await expectPlaying(page);
  await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
  await shot(page, 'mcfunny-player');
  await expectGate(browser, page.url());
});

const HOME = ['mcfunny', '/redirect', 'MC Funny'] as const;

test('mcfunny: every address, on phones and desktops', async ({ page, browser }) => {
  await everyAddress(page, 'mcfunny', [
    { address: '/', shows: 'HOW TO USE THE SITE:', name: 'front' },
    {
      address: '/login?ext_ref=x',
      shows: /Welcome To MC Funny\s*Watch unlimited! funny videos/,
      name: 'form',
    },
    { address: '/allvideos/1/MC%20Funny/0', shows: 'Loadshed Lwazi', name: 'all-videos-visitor' },
    { address: '/video/1/MC%20Funny/1', shows: 'Join MC Funny to watch', name: 'gate' },
    { address: '/terms', shows: 'Terms and Conditions', name: 'terms' },
    { address: '/subscription', shows: 'Other ways to stop', name: 'leave' },
    { address: '/search?q=kettle', shows: /\d+ found/, name: 'search' },
    { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
  ]);
  await arrive(page, ...HOME);
  await everyAddress(page, 'mcfunny', [
    {
      address: '/redirect?service=MC%20Funny&msisdn=27600000000&result=active',
      shows: 'COME BACK FOR MORE CONTENT SOON.',
      name: 'member',
    },
    { address: '/allvideos/1/MC%20Funny', shows: /\d{1,2} [A-Z]+, \d{4}/, name: 'all-videos' },
    { address: '/video/1/MC%20Funny/1', shows: 'Related Videos', name: 'video' },
    { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
  ]);
  await isLight(browser, `${site('mcfunny')}/`);
});

test('mcfunny: the stack, by mouse, keys and buttons', async ({ page }) => {
  await arrive(page, ...HOME);
  const front = page.locator('.deck-card').last();
  await expect(front).toContainText('HOW TO USE THE SITE:Swipe right if you like what you see.');
  await expect(front).toContainText('Swipe left if you want to see something else.');
  await expect(page.locator('.deck-card').first(), 'first in the document').toHaveText(
    'COME BACK FOR MORE CONTENT SOON.',
  );

  const icons = await watchIcons(page);
  await page.keyboard.press('ArrowLeft');
  await expect(front).toContainText(/Comedian #1/);
  await expect(page.getByText('Now Loadshed Lwazi, Comedian')).toBeAttached();
  await page.getByRole('button', { name: 'Skip: next card' }).click();
  await expect(front).toContainText('#2');
  await expect.poll(icons).toEqual(['left', 'left']);
  await swipe(page, 'left');
  await expect(front).toContainText('#3');
  for (const number of [4, 5, 6]) {
    await page.keyboard.press('ArrowLeft');
    await expect(front).toContainText(`#${number}`);
  }
  await page.keyboard.press('ArrowLeft');
  await expect(front, 'the last card stays').toHaveText('COME BACK FOR MORE CONTENT SOON.');
  await page.keyboard.press('ArrowLeft');
  await swipe(page, 'left');
  await expect(front).toHaveText('COME BACK FOR MORE CONTENT SOON.');
});

test('mcfunny: a cross shows for a second', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/`);
  await expect(page.getByText('HOW TO USE THE SITE:')).toBeVisible();
  const shown = await lifeOf(page, '.deck-icon[data-icon=left]', 'keydown');
  await page.keyboard.press('ArrowLeft');
  expect(await shown()).toBeGreaterThan(950);
});

test('mcfunny: without a subscription a video leads to the front page, the menu counts as one', async ({
  page,
}) => {
  await page.goto(`${site('mcfunny')}/allvideos/1/MC%20Funny/0`);
  await expect(page.locator('.video-card').first()).toHaveAttribute('href', '/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('link', { name: 'HOME', exact: true })).toHaveAttribute(
    'href',
    '/redirect?service=MC%20Funny&msisdn=&result=active',
  );
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Aunty Pearl' }).click();
  await page.waitForURL(/\/allvideos\/2\/MC%20Funny\/1$/);
  await expect(page.locator('.video-card').first()).toHaveAttribute('href', /^\/video\/\d+\/MC%20Funny\/2$/);
  const first = await page.locator('.video-card-title').first().textContent();
  await expect(page.getByRole('heading', { level: 1 }), 'the first video names the page').toHaveText(
    first ?? '',
  );
});

test('mcfunny: a refusal is told in a toast at the top right, which goes after five seconds', async ({
  page,
  mishaps,
}) => {
  await page.goto(`${site('mcfunny')}/login`);
  await page.getByPlaceholder('Enter your phone number : eg 812xxxxxx').fill('12345');
  const shown = await lifeOf(page, '.Toastify__toast', 'click');
  await page.getByRole('button', { name: 'JOIN' }).click();
  const toast = page.locator('.Toastify__toast-container--top-right .Toastify__toast--error');
  await expect(toast).toContainText(/South African/);
  await page.mouse.move(5, 700);
  expect(await shown()).toBeGreaterThan(4900);
  await expect(page.getByRole('button', { name: 'JOIN' })).toBeEnabled();
  // The browser notes the refused call by itself.
  expect(mishaps.splice(0).every(each => each.includes('422'))).toBe(true);
});

test('mcfunny: a video that does not load is only logged', async ({ page, mishaps }) => {
  await arrive(page, ...HOME);
  await page.route('**/media/**', route => route.fulfill({ status: 404 }));
  const logged = page.waitForEvent('console', message => message.text().startsWith('Video error'));
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await logged;
  await expect(page.locator('video')).toBeVisible();
  await expect(page.locator('.Toastify__toast, [role=alert]')).toHaveCount(0);
  expect(mishaps.splice(0).every(each => each.includes('404'))).toBe(true);
});

test('mcfunny: what was played is counted, what was skipped is not', async ({ page }) => {
  await arrive(page, ...HOME);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  const counted = async () => Number(await page.locator('.player').getAttribute('data-played-seconds'));
  await expect.poll(counted).toBeGreaterThanOrEqual(1);
});
