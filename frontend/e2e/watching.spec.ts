/** The data meter and its cap, the next film, Continue watching, Media Session, picture in picture. */
import { expect, type Page } from '@playwright/test';
import { clock, longStream, streamed } from './streams';
import {
  checkScreens,
  expectNoAxeFindings,
  openAsTestNumber,
  openSettings,
  screenshot,
  site,
  test,
} from './visit';

test.use({ upNext: true });

const FILM = `${site('mcfunny')}/video/1/MC%20Funny/1`;
const REACHED = 'Your 100 MB for this month are used';
const MB = 1e6;

type Meter = { month: string; bytes: number; cap: number; watchOn?: boolean };

const meter = (page: Page): Promise<Meter> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('spaza.data.mcfunny') ?? '{}'));

/** Sets the data used this month. */
const used = (page: Page, bytes: number, cap = 100) =>
  page.evaluate(
    kept => {
      const month = new Date(Date.now() + 7_200_000).toISOString().slice(0, 7);
      localStorage.setItem('spaza.data.mcfunny', JSON.stringify({ month, ...kept }));
    },
    { bytes, cap },
  );

const isPaused = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused);

test('the subscription page shows the used data, and playing adds to it', async ({ page }) => {
  await streamed(page);
  await page.goto(FILM);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  await expect.poll(async () => (await meter(page)).bytes).toBeGreaterThan(10_000);
  await used(page, 12_340_000, 0);
  await page.goto(`${site('mcfunny')}/subscription`);
  await expect(page.getByText('12.3 MB')).toBeVisible();
  await page.getByRole('combobox', { name: 'Stop playing at' }).selectOption('100 MB a month');
  await expect(page.getByText(/^87.7 MB left this month/)).toBeVisible();
  await checkScreens(page, 'mcfunny-data');
  await page.getByRole('heading', { name: 'Data on this phone' }).scrollIntoViewIfNeeded();
  await screenshot(page, 'mcfunny-data-cap');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Stop playing at' })).toHaveValue('100');
});

test('a stream stops within one segment of the cap, until the visitor watches on', async ({ page }) => {
  const segments = await longStream(page, { cut: false });
  await used(page, 100 * MB - 30_000);
  await page.goto(FILM);
  await expect(page.getByText(REACHED)).toBeVisible();
  expect(await isPaused(page)).toBe(true);
  await expectNoAxeFindings(page);
  await screenshot(page, 'mcfunny-cap-reached');
  const { bytes } = await meter(page);
  expect(bytes).toBeGreaterThanOrEqual(100 * MB);
  const largest = 200_000;
  expect(bytes).toBeLessThan(100 * MB + largest);
  const fetched = segments.length;
  await page.waitForTimeout(2000);
  expect(segments.length, 'one that was on its way, and no more').toBeLessThanOrEqual(fetched + 1);

  // Nothing of the next video is fetched.
  segments.length = 0;
  await page.reload();
  await expect(page.getByText(REACHED)).toBeVisible();
  await page.waitForTimeout(1000);
  expect(segments).toEqual([]);

  await page.getByRole('button', { name: 'Watch on anyway' }).click();
  await expect(page.getByText(REACHED)).toBeHidden();
  const at = await clock(page);
  await expect.poll(() => clock(page)).toBeGreaterThan(at + 0.2);
  await page.reload();
  await expect.poll(() => clock(page), 'for the rest of the month').toBeGreaterThan(at);
});

test('a file stops at the cap, and resumes where it stopped', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await used(page, 100 * MB - 1000);
  await page.goto(FILM);
  await expect(page.getByText(REACHED)).toBeVisible();
  await expect(page.locator('video')).not.toHaveAttribute('src');
  const { bytes } = await meter(page);
  expect(bytes).toBeGreaterThanOrEqual(100 * MB);
  await page.getByRole('button', { name: 'Watch on anyway' }).click();
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  expect((await meter(page)).watchOn).toBe(true);
});

test('a tab stops when another tab reaches the cap, and resumes when the cap is lifted there', async ({
  page,
  context,
}) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(FILM);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  const other = await context.newPage();
  await other.goto(`${site('mcfunny')}/subscription`);
  await used(other, 150 * MB);
  await expect(page.getByText(REACHED)).toBeVisible();
  await expect.poll(() => isPaused(page)).toBe(true);
  await other.reload();
  await other.getByRole('combobox', { name: 'Stop playing at' }).selectOption('250 MB a month');
  await expect(page.getByText(REACHED)).toBeHidden();
  await expect(page.locator('video')).toHaveAttribute('src', /\.mp4/);
});

const toEnd = (page: Page) =>
  page.locator('video').evaluate(async (video: HTMLVideoElement) => {
    video.currentTime = video.duration - 0.6;
    await video.play();
  });

const upNext = (page: Page) => page.getByRole('region', { name: /^Up next/ });

test('the next film is offered at the end, and starts by itself', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(FILM);
  await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  await toEnd(page);
  await expect(upNext(page)).toContainText('The Last Two Minutes');
  await expect(page.getByRole('link', { name: 'Play next' })).toBeFocused();
  await page.waitForURL(/\/video\/2\/MC%20Funny\/1$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('The Last Two Minutes');
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
});

test('after "Stay here" the film loops without another offer', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(FILM);
  await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  await toEnd(page);
  await expect(upNext(page)).toBeVisible();
  await expect(page.getByRole('timer'), 'nothing moves by itself').toHaveCount(0);
  await screenshot(page, 'mcfunny-up-next');
  await expectNoAxeFindings(page);
  for (const [width, height] of [
    [320, 568],
    [740, 360],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await screenshot(page, `mcfunny-up-next-${width}`);
    const { box, inner } = await upNext(page).evaluate(each => ({
      box: each.clientHeight,
      inner: each.scrollHeight,
    }));
    expect(inner, `nothing to scroll at ${width}`).toBeLessThanOrEqual(box);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Stay here' }).click();
  await expect(upNext(page)).toHaveCount(0);
  await expect(page.locator('video')).toBeFocused();
  await toEnd(page);
  await expect.poll(() => clock(page)).toBeLessThan(2);
  await page.waitForTimeout(1000);
  await expect(upNext(page)).toHaveCount(0);
});

test('Media Session shows the film and plays the next one', async ({ page }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  await page.addInitScript(() => {
    const handlers = new Map<string, unknown>();
    const { setActionHandler } = MediaSession.prototype;
    MediaSession.prototype.setActionHandler = function (action, handler) {
      handlers.set(action, handler);
      return setActionHandler.call(this, action, handler);
    };
    Object.assign(window, { handlers });
  });
  await page.locator('.carousel-row .video-card').first().click();
  await page.waitForURL('**/ttsingle/*/*');
  await page.reload();
  const name = await page.getByRole('heading', { level: 1 }).textContent();
  await expect
    .poll(() =>
      page.evaluate(() => {
        const { title, album, artwork } = navigator.mediaSession.metadata ?? {};
        return { title, album, artwork: artwork?.[0]?.src.includes('/img/') };
      }),
    )
    .toEqual({ title: name, album: expect.stringMatching(/./), artwork: true });
  const act = (action: string, details: object = {}) =>
    page.evaluate(
      ([action, details]) => {
        const { handlers } = window as unknown as { handlers: Map<string, (details: object) => void> };
        handlers.get(action as string)?.({ action, ...(details as object) });
      },
      [action, details] as const,
    );
  await act('pause');
  await expect.poll(() => isPaused(page)).toBe(true);
  await act('seekto', { seekTime: 1.5 });
  await expect.poll(() => clock(page)).toBe(1.5);
  await act('play');
  await expect.poll(() => isPaused(page)).toBe(false);
  const here = page.url();
  await expect(
    page.getByRole('region', { name: 'Related Videos' }).locator('.video-card').first(),
  ).toBeVisible();
  await act('nexttrack');
  await page.waitForURL(url => url.href !== here && url.pathname.startsWith('/ttsingle/'));
});

test('a film continues in picture in picture', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.addInitScript(() => {
    HTMLVideoElement.prototype.requestPictureInPicture = function () {
      this.dataset.small = 'yes';
      return Promise.reject(new Error('a test needs no window'));
    };
    Object.defineProperty(document, 'pictureInPictureEnabled', { value: true });
  });
  await page.goto(FILM);
  const small = page.getByRole('button', { name: 'Picture in picture' });
  await page.setViewportSize({ width: 320, height: 640 });
  await openSettings(page);
  const sizes = await page.locator('.player-settings button, .player-settings select').evaluateAll(all =>
    all.map(each => {
      const { left, right, height } = each.getBoundingClientRect();
      return { isOnScreen: left >= 0 && right <= 320, height };
    }),
  );
  expect(sizes.length).toBeGreaterThan(1);
  for (const { isOnScreen, height } of sizes) {
    expect(isOnScreen).toBe(true);
    expect(height).toBeGreaterThanOrEqual(44);
  }
  await expectNoAxeFindings(page);
  await small.click();
  await expect(page.locator('video')).toHaveAttribute('data-small', 'yes');
  await screenshot(page, 'mcfunny-player-small-window');
});

test('a locked film has one price and one list of languages', async ({ page }) => {
  await page.goto(FILM);
  await expect(page.locator('.player-gate')).toBeVisible();
  await expect(page.locator('.price-line').locator('visible=true')).toHaveCount(1);
  await expect(page.locator('.language-list').locator('visible=true')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Video settings' })).toHaveCount(0);
});

for (const { label, home, service } of [
  { label: 'mcfunny', home: '/redirect', service: 'MC Funny' },
  { label: 'diski99', home: '/doRedirect', service: 'diski99' },
])
  test(`${label}: unfinished videos are below the deck, and resume from there`, async ({ page }) => {
    await openAsTestNumber(page, label, home, service);
    await expect(page.locator('.deck')).toBeVisible();
    const row = page.getByRole('region', { name: 'Continue watching' });
    await expect(row).toHaveCount(0);
    await page.goto(
      `${site(label)}${label === 'mcfunny' ? '/video/1/MC%20Funny/1' : '/diskisingle/1/diski99/1'}`,
    );
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await expect
      .poll(() => page.locator('video').evaluate((each: HTMLVideoElement) => each.readyState))
      .toBeGreaterThan(1);
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      video.pause();
      video.currentTime = 3.2;
    });
    await expect
      .poll(() => page.locator('video').evaluate((each: HTMLVideoElement) => each.seeking))
      .toBe(false);
    await page.goto(`${site(label)}/`);
    await expect(row.locator('.video-card')).toContainText(title);
    // The deck stays where it is.
    await expect(page.locator('.deck-buttons')).toBeInViewport();
    await row.scrollIntoViewIfNeeded();
    await screenshot(page, `${label}-continue`);
    await checkScreens(page, `${label}-continue`);
    await row.locator('.video-card').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible();
    await page.goto(`${site(label)}/`);
    await row.getByRole('button', { name: `Remove ${title} from Continue watching` }).click();
    await expect(row).toHaveCount(0);
  });

test('unfinished films are on the home page, resume from there, and can be removed', async ({ page }) => {
  const home = () => openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const row = page.getByRole('region', { name: 'Continue watching' });
  await home();
  await expect(page.locator('.carousel-row').nth(1)).toBeVisible();
  await expect(row).toHaveCount(0);
  const begin = async (place: number) => {
    await page.locator('.carousel-row').first().locator('.video-card').nth(place).click();
    await page.waitForURL('**/ttsingle/*/*');
    await expect
      .poll(() => page.locator('video').evaluate((each: HTMLVideoElement) => each.readyState))
      .toBeGreaterThan(1);
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      video.pause();
      video.currentTime = 3.2;
    });
    await expect
      .poll(() => page.locator('video').evaluate((each: HTMLVideoElement) => each.seeking))
      .toBe(false);
    await page.goBack();
    await expect(page.locator('.carousel-row').first()).toBeVisible();
  };
  await begin(0);
  const cards = row.locator('.video-card');
  await expect(cards).toHaveCount(1);
  await page.reload();
  await begin(1);
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText(/\d:\d\d left/);
  await row.scrollIntoViewIfNeeded();
  await screenshot(page, 'ttmbhatv-continue');
  await checkScreens(page, 'ttmbhatv-continue');
  await page.setViewportSize({ width: 320, height: 568 });
  await row.scrollIntoViewIfNeeded();
  await screenshot(page, 'ttmbhatv-continue-320');
  await page.setViewportSize({ width: 360, height: 740 });

  const title = await cards.first().locator('.video-card-title').textContent();
  await row.getByRole('button', { name: `Remove ${title} from Continue watching` }).click();
  await expect(cards).toHaveCount(1);
  await expect(row.getByRole('heading')).toBeFocused();
  await cards.click();
  await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible();
  // A film played to its end is finished.
  await toEnd(page);
  await expect(upNext(page)).toBeVisible();
  await page.goBack();
  await expect(page.locator('.carousel-row').nth(1)).toBeVisible();
  await page.reload();
  await expect(row).toHaveCount(0);
});
