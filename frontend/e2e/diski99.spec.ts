import { expect } from '@playwright/test';
import {
  accessible,
  arrive,
  everyAddress,
  expectGate,
  expectPlaying,
  isLight,
  join,
  pastHowTo,
  shot,
  site,
  swipe,
  test,
  watchIcons,
} from './visit';

test('diski99: join, swipe right, watch', async ({ page, browser }) => {
  await join({ page, label: 'diski99', form: '/diskilogin', home: '/doRedirect' });
  await pastHowTo(page);
  await shot(page, 'diski99-home');
  await accessible(page);

  const icons = await watchIcons(page);
  await swipe(page, 'right');
  await page.waitForURL(/\/artistvideos\/\d+\/diski99\/1/);
  expect(await icons()).toEqual(['right']);
  await page.locator('.video-card').first().click();
  await page.waitForURL(/\/diskisingle\/\d+\/diski99\//);
  await expectPlaying(page);
  await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
  await expect(page.locator('.related .video-card').first()).toHaveAttribute(
    'href',
    /\/diskisingle\/\d+\/diski99\/1$/,
  );
  await shot(page, 'diski99-player');
  await expectGate(browser, page.url());
});

const HOME = ['diski99', '/doRedirect', 'diski99'] as const;

test('diski99: every address, on phones and desktops', async ({ page, browser }) => {
  await everyAddress(page, 'diski99', [
    { address: '/', shows: 'Swipe right if you like what you see.', name: 'front' },
    {
      address: '/diskilogin?ext_ref=x',
      shows: /Welcome To diski99\s*Watch unlimited! funny videos/,
      name: 'form',
    },
    { address: '/artistvideos/1/diski99/0', shows: 'Footballer', name: 'artist-videos-visitor' },
    { address: '/diskisingle/1/diski99/1', shows: 'Join diski99 to watch', name: 'gate' },
    { address: '/search?q=taxi', shows: /\d+ found/, name: 'search' },
    { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
  ]);
  await arrive(page, ...HOME);
  await everyAddress(page, 'diski99', [
    {
      address: '/doRedirect?service=diski99&msisdn=27600000000&result=active',
      shows: 'COME BACK FOR MORE CONTENT SOON.',
      name: 'member',
    },
    { address: '/artistvideos/1/diski99/1', shows: /\d{1,2} [A-Z]+, \d{4}/, name: 'artist-videos' },
    { address: '/diskisingle/1/diski99/1', shows: 'Related Videos', name: 'video' },
    { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
  ]);
  await isLight(browser, `${site('diski99')}/`);
});

test('diski99: the heart shows, and two seconds later the artist’s videos with count 1', async ({ page }) => {
  await page.goto(`${site('diski99')}/`);
  await pastHowTo(page);
  await expect(page.locator('.deck-card').last()).toContainText(/Footballer #\d+/);
  await expect(page.locator('.deck-card').first()).toHaveText('COME BACK FOR MORE CONTENT SOON.');
  // The page keeps its clock over the change of address, which is not a load.
  await page.evaluate(() => {
    addEventListener('keydown', () => document.body.setAttribute('data-swiped', String(performance.now())), {
      once: true,
      capture: true,
    });
    const { pushState } = history;
    history.pushState = function (...state) {
      document.body.setAttribute('data-left', String(performance.now()));
      return pushState.apply(this, state);
    };
  });
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/\/artistvideos\/1\/diski99\/1$/);
  const waited = await page.evaluate(
    () => Number(document.body.getAttribute('data-left')) - Number(document.body.getAttribute('data-swiped')),
  );
  expect(waited).toBeGreaterThan(1950);
  const first = await page.locator('.video-card-title').first().textContent();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(first ?? '');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Thabiso "Turbo" Mokwena');
});

test('diski99: without a subscription a video leads to the join form', async ({ page }) => {
  await page.goto(`${site('diski99')}/artistvideos/1/diski99/0`);
  await expect(page.locator('.video-card').first()).toHaveAttribute('href', '/diskilogin');
  await page.locator('.artist-rail a').nth(1).click();
  await page.waitForURL(/\/artistvideos\/2\/diski99\/1$/);
  await expect(page.locator('.video-card').first()).toHaveAttribute(
    'href',
    /^\/diskisingle\/\d+\/diski99\/2$/,
  );
});

test('diski99: nothing moves for those who asked for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${site('diski99')}/`);
  await pastHowTo(page);
  await page.keyboard.press('ArrowLeft');
  const card = page.locator('.deck-card').last();
  await expect(card).toContainText('#2');
  expect(await card.evaluate(each => getComputedStyle(each).transitionDuration)).toMatch(/^0s(, 0s)*$/);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});
