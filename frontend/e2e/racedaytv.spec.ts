import { expect, type Page } from '@playwright/test';
import {
  accessible,
  arrive,
  everyAddress,
  expectGate,
  expectPlaying,
  isLight,
  join,
  shot,
  site,
  test,
} from './visit';

test('racedaytv: join, watch, keep', async ({ page, browser }) => {
  await join({ page, label: 'racedaytv', form: '/racedaylogin', home: '/ttredirect' });
  await expect(page.locator('.video-card').first()).toBeVisible();
  await shot(page, 'racedaytv-home');
  await accessible(page);

  await page.locator('.carousel .video-card').first().click();
  await page.waitForURL(/\/ttsingle\/\d+\/raceday/);
  await expectPlaying(page);
  await expect(page.getByText('Views (0)')).toBeVisible();
  await shot(page, 'racedaytv-player');

  const keep = page.getByRole('button', { name: 'Watchlist', exact: true });
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
  await expectGate(browser, page.url());
});

const HOME = ['racedaytv', '/ttredirect', 'raceday'] as const;

test('racedaytv: every address, on phones and desktops', async ({ page, browser }) => {
  const first = await firstOf(page);
  await everyAddress(page, 'racedaytv', [
    { address: '/', shows: 'Live Races', name: 'front' },
    {
      address: '/racedaylogin?ext_ref=x',
      shows: /Watch unlimited videos\s*ENTER YOUR NUMBER AND JOIN/,
      name: 'form',
    },
    { address: `/ttsingle/${first.video}/raceday`, shows: 'Join Raceday TV to watch', name: 'gate' },
    { address: '/raceday-terms', shows: 'Your personal information', name: 'terms' },
    { address: '/search?q=a', shows: /\d+ found/, name: 'search' },
    { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
  ]);
  await arrive(page, ...HOME);
  await everyAddress(page, 'racedaytv', [
    {
      address: '/ttredirect?service=raceday&msisdn=27600000000&result=Active',
      shows: 'Live Races',
      name: 'member',
    },
    { address: `/ttcategory/${first.category}/raceday`, shows: 'Live Races', name: 'category' },
    { address: `/ttsingle/${first.video}/raceday/27600000000`, shows: 'Related Videos', name: 'video' },
    { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
  ]);
  await isLight(browser, `${site('racedaytv')}/`);
});

/** Ids differ from one database to another. */
async function firstOf(page: Page): Promise<{ category: number; video: number }> {
  await page.goto(`${site('racedaytv')}/raceday-terms`);
  const [group] = await page.evaluate(async () => (await fetch('/api/tt/getcatvideos/raceday')).json());
  return { category: group.category.id, video: group.videos[0].id };
}

test('racedaytv: one banner, which does not slide', async ({ page }) => {
  await page.goto(`${site('racedaytv')}/`);
  const banner = page.getByRole('region', { name: 'Raceday TV highlights' });
  await expect(banner.getByRole('listitem')).toHaveCount(1);
  await expect(banner.getByRole('button')).toHaveCount(0);
});

test('racedaytv: the watchlist in the header leads to its videos', async ({ page }) => {
  await arrive(page, ...HOME);
  await page.route('**/api/tt/getTTWatchlist/raceday', route =>
    route.fulfill({ json: [{ id: 4, videoid: 4, name: 'Kept for Sunday' }] }),
  );
  await page.goto(`${site('racedaytv')}/ttredirect?service=raceday&msisdn=27600000000&result=Active`);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'WATCHLIST' }).click();
  await expect(page.getByRole('link', { name: 'Kept for Sunday' })).toHaveAttribute(
    'href',
    '/ttsingle/4/raceday',
  );
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute(
    'href',
    '/raceday-terms',
  );
});

test('racedaytv: Go Back goes back', async ({ page }) => {
  await page.goto(`${site('racedaytv')}/racedaylogin`);
  await page.getByRole('link', { name: 'Privacy Policy' }).click();
  await page.waitForURL(/\/raceday-terms$/);
  const text = page.getByRole('main');
  for (const fact of [
    '18 years or older',
    'South Africa only',
    '12 months',
    '080 000 0153',
    'help@racedaytv.example',
  ])
    await expect(text).toContainText(fact);
  await page.getByRole('button', { name: 'Go Back' }).first().click();
  await page.waitForURL(/\/racedaylogin$/);
});

test('racedaytv: a network that cannot confirm leads to the front page', async ({ page, mishaps }) => {
  await page.route('**/api/subscribe/check-sub**', route =>
    route.fulfill({ status: 503, json: { status: 503 } }),
  );
  await page.goto(`${site('racedaytv')}/DoiRedirect?msisdn=27812345678&subscription_id=x&ext_ref=y`);
  await page.waitForURL(`${site('racedaytv')}/`);
  expect(mishaps.splice(0).every(each => each.includes('503'))).toBe(true);
});
