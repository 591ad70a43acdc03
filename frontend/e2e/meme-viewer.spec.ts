/** One meme over its list: an address of its own, swipes by a finger, likes, keys, and the way back to its card. */
import { expect, type Page } from '@playwright/test';
import {
  centerOf,
  expectNoAxeFindings,
  expectOnlyRefused,
  openAsTestNumber,
  screenshot,
  site,
  test,
  touchInput,
} from './visit';

type Meme = { id: number; title: string };

/** A category with several memes: its address, and the memes. */
async function category(page: Page): Promise<{ list: string; memes: Meme[] }> {
  return page.evaluate(async () => {
    const categories: { id: number }[] = await (await fetch('/api/meme/getMemeCategories')).json();
    for (const { id } of categories) {
      const { memeData } = await (await fetch(`/api/meme/getMemeValue/${id}`)).json();
      if (memeData.length >= 6) return { list: `/memeCategory/1/${id}/memeworld`, memes: memeData };
    }
    throw new Error('No category has six memes');
  });
}

const viewerOf = (page: Page) => page.getByRole('dialog');

/** The meme is open: by its name, in the address, and in the middle of the strip. */
async function shows(page: Page, { id, title }: Meme): Promise<void> {
  await expect(viewerOf(page)).toHaveAccessibleName(title);
  await expect.poll(() => new URL(page.url()).searchParams.get('meme')).toBe(String(id));
  await expect
    .poll(() =>
      page.locator('.viewer-strip').evaluate(strip => {
        const shown = strip.querySelector('li:not([inert])')?.getBoundingClientRect();
        return Math.abs((shown?.left ?? 99) - strip.getBoundingClientRect().left) < 2;
      }),
    )
    .toBe(true);
}

const cardOf = (page: Page, { title }: Meme) =>
  page.getByRole('button', { name: `Open ${title}`, exact: true });

test('a finger swipes from meme to meme and likes one, and Back leads to the card', async ({ page }) => {
  await openAsTestNumber(page, 'memeworld', '/redirectTo', 'memeworld');
  const { list, memes } = await category(page);
  await page.goto(site('memeworld') + list);
  const [first, second, third, fourth] = memes as [Meme, Meme, Meme, Meme];
  await cardOf(page, second).scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await cardOf(page, second).tap();
  await shows(page, second);
  await expectNoAxeFindings(page);
  await screenshot(page, 'meme-viewer-360');
  const { drag } = await touchInput(page);
  // More than half the width, since it ends without speed.
  const across = async (by: number) => {
    const { x, y } = await centerOf(page.locator('.viewer-strip'));
    await drag({ x: x - by / 2, y }, by, 0, true);
  };
  await across(-280);
  await shows(page, third);
  await across(-280);
  await shows(page, fourth);
  await across(280);
  await shows(page, third);
  await across(280);
  await shows(page, second);
  await across(280);
  await shows(page, first);
  // Up leads to the next one, and down back.
  const upwards = async (by: number) => {
    const { x, y } = await centerOf(page.locator('.viewer-strip'));
    await drag({ x, y: y - by / 2 }, 0, by, true);
  };
  await upwards(-240);
  await shows(page, second);
  await upwards(240);
  await shows(page, first);

  // The like shows before the service has answered.
  let answer = () => {};
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.route(/postlike|unlike/, async route => {
    await held;
    await route.continue();
  });
  const like = viewerOf(page).getByRole('button', { name: /^Like / });
  const wasLiked = await like.getAttribute('aria-pressed');
  await like.tap();
  await expect(like).toHaveAttribute('aria-pressed', wasLiked === 'true' ? 'false' : 'true');
  const saved = page.waitForResponse(/postlike|unlike/);
  answer();
  expect((await saved).ok()).toBe(true);
  await like.tap();
  await expect(like).toHaveAttribute('aria-pressed', wasLiked ?? '');

  await page.goBack();
  await expect(viewerOf(page)).toHaveCount(0);
  await expect(page).toHaveURL(site('memeworld') + list);
  await expect(cardOf(page, second)).toBeFocused();
  await expect(cardOf(page, second)).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(before);
  // The button closes in the same way: the next Back leaves the list.
  await cardOf(page, second).tap();
  await shows(page, second);
  await viewerOf(page).getByRole('button', { name: 'Close' }).tap();
  await expect(viewerOf(page)).toHaveCount(0);
  await expect(page).toHaveURL(site('memeworld') + list);
  await page.goBack();
  expect(page.url()).not.toContain('memeCategory');
});

test('cards show their memes whole, and the viewer has that picture until the larger one is there', async ({
  page,
}) => {
  await page.goto(`${site('memeworld')}/`);
  const picture = page.locator('.meme-card').first().locator('img');
  await expect
    .poll(() => picture.evaluate((each: HTMLImageElement) => each.naturalWidth))
    .toBeGreaterThan(50);
  const { fit, shown } = await picture.evaluate((each: HTMLImageElement) => ({
    fit: getComputedStyle(each).objectFit,
    shown: each.currentSrc,
  }));
  expect(fit).toBe('contain');
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/img/**', async route => {
    // Playwright has no cache where it holds requests back.
    if (route.request().url() !== shown) await held;
    await route.continue();
  });
  await page.locator('.meme-open').first().tap();
  const slide = viewerOf(page).locator('li:not([inert])');
  await expect(slide).toHaveCSS('background-image', `url("${shown}")`);
  const isThere = () => slide.locator('img').evaluate((each: HTMLImageElement) => each.naturalWidth > 0);
  expect(await isThere()).toBe(false);
  // The screenshot of a slide of one colour has a few kilobytes.
  await expect.poll(async () => (await slide.screenshot()).length).toBeGreaterThan(20_000);
  release();
  await expect.poll(isThere).toBe(true);
});

test('a like that fails is taken back', async ({ page, pageErrors }) => {
  await openAsTestNumber(page, 'memeworld', '/redirectTo', 'memeworld');
  const { list, memes } = await category(page);
  await page.goto(site('memeworld') + list);
  await cardOf(page, memes[0] as Meme).tap();
  const like = viewerOf(page).getByRole('button', { name: /^Like / });
  const wasLiked = await like.getAttribute('aria-pressed');
  await page.route(/postlike|unlike/, route => route.fulfill({ status: 503, json: { status: 503 } }));
  const failed = page.waitForResponse(/postlike|unlike/);
  await like.tap();
  await failed;
  await expect(like).toHaveAttribute('aria-pressed', wasLiked ?? '');
  expectOnlyRefused(pageErrors, '503');
});

test('arrow keys lead through the list, Escape closes, and the focus is on the card again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${site('memeworld')}/terms`);
  const { list, memes } = await category(page);
  await page.goto(site('memeworld') + list);
  const [first, second, third] = memes as [Meme, Meme, Meme];
  await cardOf(page, first).focus();
  await page.keyboard.press('Enter');
  await shows(page, first);
  await page.keyboard.press('ArrowRight');
  await shows(page, second);
  await page.keyboard.press('ArrowRight');
  await shows(page, third);
  await page.keyboard.press('ArrowLeft');
  await shows(page, second);
  await expectNoAxeFindings(page);
  await screenshot(page, 'meme-viewer-1280');
  // The Tab key stays within the viewer.
  for (let stop = 0; stop < 8; stop++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => !document.activeElement?.closest('main ul.grid'))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(viewerOf(page)).toHaveCount(0);
  await expect(cardOf(page, first)).toBeFocused();
  await expect(page).toHaveURL(site('memeworld') + list);
});

test('a link opens the meme elsewhere, goes on from there, and closes to the list', async ({
  page,
  browser,
}) => {
  await page.goto(`${site('memeworld')}/terms`);
  const { list, memes } = await category(page);
  const [, , third, fourth] = memes as [Meme, Meme, Meme, Meme];
  const link = `${site('memeworld')}${list}?after=${third.id - 1}&meme=${third.id}`;
  await page.goto(link);
  await shows(page, third);
  for (const [name, width, height] of [
    ['320', 320, 568],
    ['740-landscape', 740, 360],
    ['568-landscape', 568, 320],
    ['768', 768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    await shows(page, third);
    for (const button of await viewerOf(page).locator('.viewer-foot button').all())
      await expect(button).toBeInViewport({ ratio: 1 });
    const box = await viewerOf(page).boundingBox();
    expect(
      box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
    ).toBe(true);
    await expectNoAxeFindings(page);
    await screenshot(page, `meme-viewer-${name}`);
  }
  await page.keyboard.press('ArrowRight');
  await shows(page, fourth);
  await viewerOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(viewerOf(page)).toHaveCount(0);
  expect(page.url()).toBe(site('memeworld') + list);

  // Without scripts the list begins with it.
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const read = await plain.newPage();
  await read.goto(link);
  await expect(read.locator('.meme-card').first()).toContainText(third.title);
  await plain.close();
});

test('a meme of the home is passed on by a link that opens it', async ({ page, browser }) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async ({ url }: { url: string }) => Object.assign(window, { shared: url }),
      canShare: () => false,
    });
  });
  await page.goto(`${site('memeworld')}/`);
  const card = page.locator('.meme-open').nth(3);
  const title = ((await card.getAttribute('aria-label')) ?? '').replace('Open ', '');
  await card.tap();
  await expect(viewerOf(page)).toHaveAccessibleName(title);
  expect(page.url()).toContain('/?meme=');
  // The home draws others, and the meme that is open stays.
  await page.reload();
  await expect(viewerOf(page)).toHaveAccessibleName(title);
  await viewerOf(page).getByRole('button', { name: 'Share' }).tap();
  await expect.poll(() => page.evaluate(() => 'shared' in window)).toBe(true);
  const link = await page.evaluate(() => (window as unknown as { shared: string }).shared);
  expect(new URL(link).pathname).toMatch(/^\/memeCategory\/1\/\d+\/memeworld$/);
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(viewerOf(other)).toHaveAccessibleName(title);
  await other.context().close();
  await page.goBack();
  await expect(viewerOf(page)).toHaveCount(0);
  expect(new URL(page.url()).search).toBe('');
});
