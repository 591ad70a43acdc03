/** Gestures by real touch input: mouse events do not show how the browser handles touch. */
import { expect, type Page } from '@playwright/test';
import { centerOf, frontCard, site, swipe, test, touchInput, waitForHydration } from './visit';

/** Records the names of the pointer events on the card. */
async function pointerEvents(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const names: string[] = [];
    for (const name of ['pointerdown', 'pointerup', 'pointercancel'])
      window.addEventListener(name, event => names.push(event.type), true);
    return names;
  });
  return () => seen.jsonValue();
}

for (const label of ['mcfunny', 'diski99']) {
  test(`${label}: touch swipes every card, from the first to the last`, async ({ page }) => {
    await page.goto(`${site(label)}/`);
    const events = await pointerEvents(page);
    const names: string[] = [];
    for (;;) {
      const name = (await frontCard(page).getAttribute('aria-label')) ?? '';
      names.push(name);
      if (name === 'The end') break;
      await swipe(page, 'left');
      await expect(frontCard(page), `swiped away: ${name}`).not.toHaveAttribute('aria-label', name);
    }
    // Who swipes needs no card that says how.
    expect(names).not.toContain('How to use the site');
    expect(names.length).toBeGreaterThan(3);
    // The last card stays.
    await swipe(page, 'left');
    await expect(frontCard(page)).toHaveAttribute('aria-label', 'The end');
    expect(await events()).not.toContain('pointercancel');
  });

  test(`${label}: a short drag springs back, a flick swipes, and a vertical drag scrolls the page`, async ({
    page,
  }) => {
    await page.goto(`${site(label)}/`);
    const { drag } = await touchInput(page);
    for (const kind of ['first', 'second']) {
      const front = frontCard(page);
      const name = (await front.getAttribute('aria-label')) ?? '';
      const events = await pointerEvents(page);
      await test.step(`${kind} card: ${name}`, async () => {
        const at = await centerOf(front);
        const { down, move, up } = await touchInput(page);
        await down(at);
        await move({ ...at, x: at.x - 40 });
        await page.waitForTimeout(300);
        await up();
        await expect(front).toHaveAttribute('aria-label', name);
        expect(await events()).toEqual(['pointerdown', 'pointerup']);

        const before = await page.evaluate(() => window.scrollY);
        await drag(at, 0, -160);
        await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before);
        await expect(front).toHaveAttribute('aria-label', name);
        await page.evaluate(() => window.scrollTo(0, 0));

        await down(at);
        await move({ ...at, x: at.x - 70 });
        await up();
        await expect(front).not.toHaveAttribute('aria-label', name);
      });
    }
  });
}

test('six fast swipes move six cards, each with its stamp, and a right swipe opens the artist', async ({
  page,
}) => {
  await page.goto(`${site('mcfunny')}/`);
  const labels = () =>
    page.locator('.deck-card').evaluateAll(all => all.map(each => each.getAttribute('aria-label') ?? ''));
  const { drag } = await touchInput(page);
  const at = await centerOf(frontCard(page));
  const [start] = (await labels()).slice(-1);
  for (let swipes = 0; swipes < 6; swipes++) await drag(at, -144);
  const artists = await page.evaluate(async () =>
    (await fetch('/api/madfunny/fetchArtist?service=MC%20Funny')).json(),
  );
  expect(start).toBe(`${artists[0].artist}, Comedian`);
  expect(artists).toHaveLength(6);
  await expect(frontCard(page)).toHaveAttribute('aria-label', 'The end');
});

test('the dragged card shows the stamp, the next card does not', async ({ page }) => {
  await page.goto(`${site('diski99')}/`);
  const { down, move, up } = await touchInput(page);
  const front = frontCard(page);
  const at = await centerOf(front);
  const swiped = (await front.getByRole('heading').textContent()) ?? '';
  const strength = (side: string) =>
    front.locator(`.deck-hint[data-icon=${side}]`).evaluate(each => Number(getComputedStyle(each).opacity));
  await down(at);
  await move({ ...at, x: at.x + 45 });
  await move({ ...at, x: at.x + 60 });
  await expect.poll(() => strength('right')).toBeGreaterThan(0.5);
  expect(await strength('left')).toBe(0);
  await move({ ...at, x: at.x - 120 });
  await expect.poll(() => strength('left')).toBe(1);
  expect(await strength('right')).toBe(0);
  await page.clock.install();
  await up();
  const icon = page.locator('.deck-icon');
  await expect(icon).toHaveAttribute('data-icon', 'left');
  await expect(page.locator('[data-leaving=left]')).toContainText(swiped);
  await expect(front.locator('.deck-icon')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('a swiped card is gone in a quarter of a second, and its stamp after one', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/`);
  const front = frontCard(page);
  await expect(front).toContainText('#1');
  await page.evaluate(() =>
    new MutationObserver(() => {
      const card = document.querySelector('[data-leaving]');
      const [thrown] = card?.getAnimations() ?? [];
      if (thrown)
        document.documentElement.dataset.thrown = String(thrown.effect?.getComputedTiming().endTime);
    }).observe(document.body, { childList: true, subtree: true }),
  );
  await swipe(page, 'left');
  await expect(page.locator('html')).toHaveAttribute('data-thrown', '250');
  await expect(page.locator('[data-leaving]')).toBeHidden();
  await expect(front).toContainText('#2');
  await expect(page.locator('.deck-icon')).toHaveCount(0);
});

test('Back before the artist’s page has loaded leads to a deck that goes on', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/`);
  let release: () => void = () => undefined;
  const held = new Promise<void>(done => {
    release = done;
  });
  await page.route(/assets\/artist\./, async route => {
    await held;
    await route.continue();
  });
  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/1\//);
  await page.goBack();
  await expect(frontCard(page)).toContainText('#2');
  await expect(page.getByRole('button', { name: 'Skip: next card' })).toBeEnabled();
  await swipe(page, 'left');
  await expect(frontCard(page)).toContainText('#3');
  release();
  await expect(page).toHaveURL(`${site('mcfunny')}/`);
  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/3\//);
});

test('the deck keeps its position after going back from an artist, and after a reload', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/`);
  await swipe(page, 'left');
  await expect(frontCard(page)).toContainText('#2');
  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/2\//);
  await page.goBack();
  await expect(frontCard(page)).toContainText('#3');
  await page.reload();
  await expect(frontCard(page)).toContainText('#3');
  // Another tab begins with the first artist whom the phone has not shown, and there is no how-to card on a phone that has swiped.
  const another = await page.context().newPage();
  await another.goto(`${site('mcfunny')}/`);
  await waitForHydration(another);
  await expect(frontCard(another)).toContainText('#3');
  await another.keyboard.press('ArrowLeft');
  await expect(frontCard(another)).toContainText('#4');
  // When all were shown, the deck begins again.
  for (const id of [4, 5, 6]) {
    await expect(frontCard(another)).toContainText(`#${id}`);
    await another.keyboard.press('ArrowLeft');
  }
  const last = await page.context().newPage();
  await last.goto(`${site('mcfunny')}/`);
  await expect(frontCard(last)).toContainText('#1');
});
