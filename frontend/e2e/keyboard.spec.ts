/** Keyboard access: Tab reaches every control, which is visible and has a focus ring; Escape closes what opens. */
import { expect, type Page } from '@playwright/test';
import { homeOf, openAsTestNumber, site, test } from './visit';

const STOPS = 'a[href], button:not(:disabled), input, select, summary, video[controls]';

/** The controls that Tab must reach, in document order. */
const expected = (page: Page) =>
  page.evaluate(stops => {
    const all = [...document.querySelectorAll<HTMLElement>(stops)].filter(
      each =>
        each.tabIndex >= 0 && !each.closest('[inert]') && each.checkVisibility({ visibilityProperty: true }),
    );
    for (const [place, each] of all.entries()) each.dataset.stop = String(place);
    return all.map(each => `${each.dataset.stop} ${each.tagName} ${each.ariaLabel ?? each.textContent}`);
  }, STOPS);

type Stop = { place: number; name: string; ring: boolean; seen: boolean };

/** The focused control, whether it has a focus ring, and whether it is covered by another element. */
const here = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
    const { left, right, top, bottom } = at.getBoundingClientRect();
    const inside = {
      left: Math.max(left, 0),
      right: Math.min(right, innerWidth),
      top: Math.max(top, 0),
      bottom: Math.min(bottom, innerHeight),
    };
    // One visible point is enough: WCAG requires that the control is not entirely hidden.
    const points = [0.5, 0.15, 0.85].flatMap(across =>
      [0.5, 0.15, 0.85].map(down => [
        inside.left + (inside.right - inside.left) * across,
        inside.top + (inside.bottom - inside.top) * down,
      ]),
    );
    const seen = points.some(([x = 0, y = 0]) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && (at.contains(found) || found.contains(at));
    });
    return {
      place: Number(at.dataset.stop ?? -1),
      name: `${at.tagName} ${at.className} ${at.ariaLabel ?? at.textContent}`,
      ring:
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) ||
        boxShadow.includes('0px 0px 0px 3px'),
      seen,
    };
  });

async function walk(page: Page): Promise<void> {
  const all = await expected(page);
  expect(all.length).toBeGreaterThan(3);
  const reached = new Set<number>();
  // A list goes on while its rows are reached: Meme World has 96 memes with three controls each.
  for (let press = 0; press < all.length * 3 + 400 && reached.size < all.length; press++) {
    await page.keyboard.press('Tab');
    const stop = await here(page);
    if (!stop) continue;
    // A video has inner tab stops.
    if (reached.has(stop.place)) continue;
    expect(stop, `a stop that nobody can see or reach otherwise: ${stop.name}`).toMatchObject({ ring: true });
    await expect.poll(async () => (await here(page))?.seen, `in sight: ${stop.name}`).toBe(true);
    // Rows that were not there at the beginning have no number.
    if (stop.place >= 0) reached.add(stop.place);
  }
  // "Show more" disappears when the list has loaded more.
  const there = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-stop]')].map(each => Number(each.dataset.stop)),
  );
  expect(
    all.filter((_, place) => !reached.has(place) && there.includes(place)),
    'never reached',
  ).toEqual([]);
}

/** Without motion, so that positions do not change. */
test.use({ reducedMotion: 'reduce' });

const PAGES = [
  ['mcfunny', '/'],
  ['mcfunny', '/login'],
  ['mcfunny', '/allvideos/1/MC%20Funny/0'],
  ['diski99', '/search?q=taxi'],
  ['diski99', '/diskisingle/1/diski99/1'],
  ['memeworld', '/'],
  ['memeworld', '/memeCategory/1/1/memeworld'],
  ['memeworld', '/subscription'],
  ['ttmbhatv', '/'],
  ['ttmbhatv', '/ttbhaTerms'],
  ['racedaytv', '/'],
  ['racedaytv', '/nowhere'],
] as const;

for (const [label, address] of PAGES)
  test(`${label}${address} by the keyboard`, async ({ page }) => {
    // Homes have a different header on desktops.
    for (const width of address === '/' ? [360, 1280] : [360]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(site(label) + address);
      await expect(page.getByRole('contentinfo')).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await walk(page);
    }
  });

test('the player works by keyboard', async ({ page }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  await page.locator('.carousel-row .video-card').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('video')).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Video settings' })).toBeVisible();
  await walk(page);
  const gear = page.getByRole('button', { name: 'Video settings' });
  await gear.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const list = page.locator('.player-settings-list');
  await expect(list.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(gear).toBeFocused();
  await expect(list).toBeHidden();
});

test('the skip link leads to the content', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/`);
  await expect(page.locator('.video-card').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main');
});

test('menus open by Enter and close by Escape, which restores the focus', async ({ page }) => {
  await page.goto(homeOf('memeworld', '/redirectTo', 'memeworld'));
  await expect(page.locator('.meme-card').first()).toBeVisible();
  const toggle = page.locator('.site-header-toggle');
  await toggle.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(menu).toBeVisible();
  const categories = menu.getByRole('button', { name: 'CATEGORIES' });
  await categories.focus();
  await page.keyboard.press('Enter');
  await expect(categories).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(menu.locator('.menu-list a').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(categories).toHaveAttribute('aria-expanded', 'false');
  await expect(categories).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(toggle).toBeFocused();
});

test('a navigation focuses the heading, forward and back, also when it renders late', async ({ page }) => {
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto(`${site('mcfunny')}/allvideos/1/MC%20Funny/1`);
  await expect(page.locator('.video-card').first()).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName), 'a page load is the browser’s').toBe(
    'BODY',
  );
  await page.route('**/api/madfunny/fetchsingle/*', async route => {
    await new Promise(resolve => setTimeout(resolve, 700));
    await route.continue();
  });
  await page.locator('.video-card').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/video\//);
  await expect(page.locator('.watch-text h1')).toBeVisible();
  await expect(heading).toBeFocused();
  await page.goBack();
  await page.waitForURL(/\/allvideos\//);
  await expect(heading).toBeFocused();
  await page.getByRole('link', { name: 'Want to unsubscribe' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your subscription' })).toBeFocused();
  // From there the Tab key goes on into the page.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main');
});
