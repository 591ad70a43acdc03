import { expect, type Locator, type Page } from '@playwright/test';
import {
  accessible,
  arrive,
  everyAddress,
  expectGate,
  expectPlaying,
  isLight,
  join,
  opensOptIn,
  shot,
  site,
  test,
  withoutReplies,
} from './visit';

test('ttmbhatv: join, watch, keep', async ({ page, browser }) => {
  await join({ page, label: 'ttmbhatv', form: '/ttlogin', home: '/ttredirect' });
  await expect(page.locator('.video-card').first()).toBeVisible();
  await shot(page, 'ttmbhatv-home');
  await accessible(page);

  await page.locator('.carousel .video-card').first().click();
  await page.waitForURL(/\/ttsingle\/\d+\/ttmbhatv/);
  await expectPlaying(page);
  await expect(page.getByText('Views (0)')).toBeVisible();
  await shot(page, 'ttmbhatv-player');

  const keep = page.getByRole('button', { name: 'Watchlist', exact: true });
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
  await expectGate(browser, page.url());
});

const HOME = ['ttmbhatv', '/ttredirect', 'ttmbhatv'] as const;

test('ttmbhatv: every address, on phones and desktops', async ({ page, browser }) => {
  const first = await firstOf(page);
  await everyAddress(page, 'ttmbhatv', [
    { address: '/', shows: 'Drama', name: 'front' },
    {
      address: '/ttlogin?ext_ref=x',
      shows: /Watch unlimited videos\s*ENTER YOUR NUMBER AND JOIN/,
      name: 'form',
    },
    { address: `/ttsingle/${first.video}/ttmbhatv`, shows: 'Join TTMbha TV to watch', name: 'gate' },
    { address: '/ttbhaTerms', shows: 'Your personal information', name: 'terms' },
    { address: '/search?q=a', shows: /\d+ found/, name: 'search' },
    { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
  ]);
  await arrive(page, ...HOME);
  await everyAddress(page, 'ttmbhatv', [
    {
      address: '/ttredirect?service=ttmbhatv&msisdn=27600000000&result=Active',
      shows: 'Drama',
      name: 'member',
    },
    { address: `/ttcategory/${first.category}/ttmbhatv`, shows: 'Drama', name: 'category' },
    { address: `/ttsingle/${first.video}/ttmbhatv/27600000000`, shows: 'Related Videos', name: 'video' },
    { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
  ]);
  await isLight(browser, `${site('ttmbhatv')}/`);
});

/** Ids differ from one database to another. */
async function firstOf(page: Page): Promise<{ category: number; video: number }> {
  await page.goto(`${site('ttmbhatv')}/ttbhaTerms`);
  const [group] = await page.evaluate(async () => (await fetch('/api/tt/getcatvideos/ttmbhatv')).json());
  return { category: group.category.id, video: group.videos[0].id };
}

type SwiperElement = HTMLElement & {
  swiper: { params: { speed: number; loop: boolean }; autoplay: { running: boolean } };
};
const settings = (row: Locator) =>
  row.locator('.swiper').evaluate((each: HTMLElement) => {
    const { params, autoplay } = (each as SwiperElement).swiper;
    return { speed: params.speed, loop: params.loop, running: autoplay.running };
  });

test('ttmbhatv: three banners and endless rows that move by themselves', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/`);
  const banner = page.getByRole('region', { name: 'TTMbha TV highlights' });
  await expect.poll(() => settings(banner)).toEqual({ speed: 800, loop: true, running: true });
  await expect(banner.getByRole('listitem')).toHaveCount(3);
  const row = page.getByRole('region', { name: 'Drama' });
  await expect.poll(() => settings(row)).toEqual({ speed: 500, loop: true, running: true });
  await row.getByRole('button', { name: 'Pause Drama' }).click();
  await expect.poll(async () => (await settings(row)).running, 'a visitor can stop it').toBe(false);

  const shown = () =>
    row.evaluate(each => {
      const box = each.getBoundingClientRect();
      const inside = ({ left, right }: DOMRect) => left > box.left - 8 && right < box.right + 8;
      return [...each.querySelectorAll('.swiper-slide')].filter(slide =>
        inside(slide.getBoundingClientRect()),
      ).length;
    });
  for (const [width, count] of [
    [767, 2],
    [768, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await expect.poll(shown, `${count} at ${width} px`).toBe(count);
  }
  const menu = page.getByRole('button', { name: 'Open menu' });
  await expect(menu, 'from 768 px the navigation is a row').toBeHidden();
  await page.setViewportSize({ width: 767, height: 740 });
  await expect(menu).toBeVisible();
});

test('ttmbhatv: a row of three ends where it ends', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const groups = await page.evaluate(async () => (await fetch('/api/tt/getcatvideos/ttmbhatv')).json());
  groups[0].videos.length = 3;
  await withoutReplies(page);
  await page.route('**/api/tt/getcatvideos/ttmbhatv', route => route.fulfill({ json: groups.slice(0, 2) }));
  await page.goto(`${site('ttmbhatv')}/`);
  // The row below comes later; once it moves, the short one has had its turn.
  await page.getByRole('region', { name: 'Kitchen' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('region', { name: 'Kitchen' }).locator('.swiper')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Drama' }).locator('.swiper')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Drama' }).getByRole('listitem')).toHaveCount(3);
});

test('ttmbhatv: nothing moves for those who asked for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${site('ttmbhatv')}/`, { waitUntil: 'networkidle' });
  await expect(page.locator('.video-card').first()).toBeVisible();
  await expect(page.locator('.swiper')).toHaveCount(0);
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('ttmbhatv: without a subscription a category, a like and the watchlist open the operator', async ({
  page,
}) => {
  await page.goto(`${site('ttmbhatv')}/`);
  const heading = page.getByRole('main').getByRole('link', { name: 'Drama' });
  await opensOptIn(page, () => heading.click());
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('button', { name: 'CATEGORIES' }).click();
  await opensOptIn(page, () => page.locator('.menu-list a').first().click());
  const { video } = await firstOf(page);
  await page.goto(`${site('ttmbhatv')}/ttsingle/${video}/ttmbhatv`);
  for (const name of ['Like', 'Watchlist'])
    await opensOptIn(page, () => page.getByRole('button', { name, exact: true }).click());
});

test('ttmbhatv: a failed removal is told by an alert, a failed like only logged', async ({
  page,
  mishaps,
}) => {
  await arrive(page, ...HOME);
  const { video } = await firstOf(page);
  await page.route('**/api/tt/mine/ttmbhatv', route =>
    route.fulfill({ json: { liked: [video], watchlist: [] } }),
  );
  await page.route('**/api/tt/unlikevideo', route => route.fulfill({ status: 503, json: { status: 503 } }));
  await page.route('**/api/tt/ttaddwatchlist', route =>
    route.fulfill({ status: 503, json: { status: 503 } }),
  );
  await page.goto(`${site('ttmbhatv')}/ttsingle/${video}/ttmbhatv`);
  const like = page.getByRole('button', { name: 'Like', exact: true });
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  const told: string[] = [];
  page.on('dialog', dialog => {
    told.push(dialog.message());
    dialog.accept();
  });
  const keep = page.getByRole('button', { name: 'Watchlist', exact: true });
  const logged = page.waitForEvent('console', message => message.text().startsWith('Not saved watchlist'));
  await keep.click();
  await logged;
  await like.click();
  await expect.poll(() => told).toEqual(['Failed to remove video. Please try again.']);
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
  // The browser notes refused calls by itself.
  expect(mishaps.splice(0).every(each => each.includes('503'))).toBe(true);
});

test('ttmbhatv: JOIN waits for its answer, whatever the checkbox says', async ({ page }) => {
  let asked: unknown;
  let answer = () => {};
  await page.route('**/api/subscribe', async route => {
    asked = route.request().postDataJSON();
    await new Promise<void>(resolve => {
      answer = resolve;
    });
    await route.fulfill({ json: { result: 2 } });
  });
  await page.goto(`${site('ttmbhatv')}/ttlogin?ext_ref=poster-7`);
  await page.getByPlaceholder('Enter your phone number : eg 812xxxxxx').fill('081 234 5678');
  await expect(
    page.getByRole('checkbox', { name: 'I agreed to the Terms and Conditions' }),
  ).not.toBeChecked();
  await page.getByRole('button', { name: 'JOIN' }).click();
  await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled();
  await expect
    .poll(() => asked)
    .toEqual({ msisdn: '081 234 5678', ext_ref: 'poster-7', channel: 'WAP', svc_id: 152 });
  answer();
  // Already active: straight home, where this phone has yet to prove whose it is.
  await page.waitForURL(/\/ttredirect\?service=ttmbhatv&msisdn=.*&result=active$/);
  await expect(page.getByRole('button', { name: "Confirm it's you" })).toBeVisible();
});
