/** What the phone remembers and learns: no meme twice while there are others, and what is liked comes first and says why. */
import { expect, type Page } from '@playwright/test';
import {
  expectNoAxeFindings,
  frontCard,
  openAsTestNumber,
  screenshot,
  site,
  swipe,
  test,
  touchInput,
} from './visit';

const cards = (page: Page) => page.locator('.meme-card');
/** Titles of the cards that are on the screen. */
const onScreen = (page: Page) =>
  cards(page).evaluateAll(all =>
    all
      .filter(card => {
        const { top, height } = card.getBoundingClientRect();
        return top > -height / 2 && top + height / 2 < innerHeight;
      })
      .map(card => card.querySelector('h2')?.textContent ?? ''),
  );
const remembered = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('spaza.seen.memeworld') ?? '[]').length);

test('memes: none twice while there are others, and a liked category first, with the reason', async ({
  page,
}) => {
  const requests: string[] = [];
  page.on('request', request => requests.push(`${request.url()} ${request.postData() ?? ''}`));
  await openAsTestNumber(page, 'memeworld', '/redirectTo', 'memeworld');
  const { drag } = await touchInput(page);
  await drag({ x: 180, y: 600 }, 0, -400);
  await expect.poll(() => remembered(page)).toBeGreaterThan(2);
  const seen = await onScreen(page);
  // Several, as a draw of 30 may have no other meme of one category.
  for (const title of seen.slice(0, 3)) {
    const like = page.getByRole('button', { name: new RegExp(`^Like ${title}, `) });
    await like.tap();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
  }
  await expect(page.locator('.because')).toHaveCount(0);

  await page.reload();
  await expect(cards(page).first().locator('.because')).toHaveText(/^Because you liked ./);
  const first = await cards(page)
    .locator('h2')
    .evaluateAll(all => all.slice(0, 10).map(title => title.textContent ?? ''));
  expect(first.filter(title => seen.includes(title))).toEqual([]);
  await cards(page).first().scrollIntoViewIfNeeded();
  await screenshot(page, 'memeworld-because-360');
  await expectNoAxeFindings(page);
  expect(requests.filter(each => /taste|category-\d/.test(each))).toEqual([]);

  await page.goto(`${site('memeworld')}/subscription`);
  await screenshot(page, 'memeworld-taste-360');
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Forget what I like' }).tap();
  await page.goto(`${site('memeworld')}/redirectTo?service=memeworld&msisdn=27600000000&result=active`);
  await expect(cards(page).first()).toBeVisible();
  await expect(page.locator('.because')).toHaveCount(0);
});

test('the deck: an artist who was swiped away is not in front again, also in another tab', async ({
  page,
  context,
}) => {
  await page.goto(`${site('diski99')}/`);
  const name = (await frontCard(page).getAttribute('aria-label')) ?? '';
  await swipe(page, 'left');
  await expect(frontCard(page)).not.toHaveAttribute('aria-label', name);
  const other = await context.newPage();
  await other.goto(`${site('diski99')}/`);
  await expect(frontCard(other)).not.toHaveAttribute('aria-label', name);
  // After two months the phone has forgotten that it was shown, and that it was swiped away.
  const later = await context.newPage();
  await later.clock.setFixedTime(Date.now() + 61 * 86_400_000);
  await later.goto(`${site('diski99')}/`);
  await expect(frontCard(later)).toHaveAttribute('aria-label', name);
});

test('a film that is left at once puts its artist behind the others', async ({ page, context }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const name = (await frontCard(page).getByRole('heading').textContent()) ?? '';
  await page.goto(`${site('mcfunny')}/feed`);
  const now = page.locator('.feed li:not([inert])');
  await expect(now.locator('.feed-by')).toHaveText(name);
  const film = now.locator('video');
  await expect.poll(() => film.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.1);
  const disliked = () => page.evaluate(() => localStorage.getItem('spaza.taste.mcfunny') ?? '');
  const { drag } = await touchInput(page);
  // On a busy machine a film may be on the screen for longer than a glance, and the next one is left in its place.
  for (let swipes = 0; swipes < 4 && !(await disliked()).includes('-1'); swipes++) {
    await drag({ x: 180, y: 480 }, 0, -400);
    await page.waitForTimeout(1000);
  }
  expect(await disliked()).toMatch(/^\[\["artist-1",-1,/);
  const other = await context.newPage();
  await other.goto(`${site('mcfunny')}/`);
  await expect(frontCard(other)).toBeVisible();
  await expect(frontCard(other).getByRole('heading')).not.toHaveText(name);
});

test('the feed begins with the artist who was swiped right, until that is switched off', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await swipe(page, 'left');
  await expect(frontCard(page)).toContainText('#2');
  const name = (await frontCard(page).getByRole('heading').textContent()) ?? '';
  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/2\//);
  await page.getByRole('link', { name: 'Watch' }).locator('visible=true').tap();
  const now = page.locator('.feed li:not([inert])');
  await expect(now.locator('.feed-by')).toHaveText(name);
  await expect(now.locator('.because')).toHaveText(`Because you liked ${name}`);
  await page.goto(`${site('mcfunny')}/subscription`);
  await page.getByLabel('Show what I like first').tap();
  await page.goto(`${site('mcfunny')}/feed`);
  await expect(now.locator('.feed-by')).toBeVisible();
  await expect(page.locator('.because')).toHaveCount(0);
});

test('a film that was watched to its end puts its artist in front of the deck', async ({ page, context }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/feed`);
  const now = page.locator('.feed li:not([inert])');
  const drag = (await touchInput(page)).drag;
  const first = await now.locator('.feed-by').textContent();
  // On a busy machine a swipe may be too slow to count.
  for (let swipes = 0; swipes < 20 && (await now.locator('.feed-by').textContent()) === first; swipes++) {
    const title = (await now.locator('h2').textContent()) ?? '';
    await drag({ x: 180, y: 480 }, 0, -400);
    await expect(now.locator('h2'))
      .not.toHaveText(title, { timeout: 2000 })
      .catch(() => undefined);
  }
  const name = (await now.locator('.feed-by').textContent()) ?? '';
  expect(name).not.toBe(first);
  const film = now.locator('video');
  await expect.poll(() => film.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.1);
  await film.evaluate((each: HTMLVideoElement) => {
    each.currentTime = each.duration - 1;
  });
  // Of the first artist it may have learned that a film was left at once.
  const liked = () =>
    page.evaluate(() => {
      const learned: [string, number][] = JSON.parse(localStorage.getItem('spaza.taste.mcfunny') ?? '[]');
      return learned.filter(([, weight]) => weight > 0).length;
    });
  await expect.poll(liked).toBe(1);
  const other = await context.newPage();
  await other.goto(`${site('mcfunny')}/`);
  await expect(frontCard(other).getByRole('heading')).toHaveText(name);
  await expect(frontCard(other).locator('.because')).toHaveText(`Because you liked ${name}`);
});
