/** Every gesture by real touches, on everything that is swiped: what a finger does on a phone, a mouse does not show. */
import { expect, type Page } from '@playwright/test';
import { finger, frontCard, middleOf, site, swipe, takenOver, test } from './visit';

/** Each event that a finger's way over the card brings, by its name. */
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
  test(`${label}: a finger swipes every card, from the first to the last`, async ({ page }) => {
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
    expect(names).toContain('How to use the site');
    expect(names.length).toBeGreaterThan(3);
    // The last one stays.
    await swipe(page, 'left');
    await expect(frontCard(page)).toHaveAttribute('aria-label', 'The end');
    expect(await events()).not.toContain('pointercancel');
  });

  test(`${label}: a short tug springs back, a flick counts, and a finger that goes down scrolls the page`, async ({
    page,
  }) => {
    await page.goto(`${site(label)}/`);
    const { drag } = await finger(page);
    for (const kind of ['first', 'second']) {
      const front = frontCard(page);
      const name = (await front.getAttribute('aria-label')) ?? '';
      const events = await pointerEvents(page);
      await test.step(`${kind} card: ${name}`, async () => {
        const at = await middleOf(front);
        const { down, move, up } = await finger(page);
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

test('six swipes in a row are six cards, each with a stamp of its own, and a heart leads to the next page', async ({
  page,
}) => {
  await page.goto(`${site('mcfunny')}/`);
  const labels = () =>
    page.locator('.deck-card').evaluateAll(all => all.map(each => each.getAttribute('aria-label') ?? ''));
  const { drag } = await finger(page);
  const at = await middleOf(frontCard(page));
  const [start] = (await labels()).slice(-1);
  for (let swipes = 0; swipes < 6; swipes++) await drag(at, -144);
  const artists = await page.evaluate(async () =>
    (await fetch('/api/madfunny/fetchArtist?service=MC%20Funny')).json(),
  );
  expect(start).toBe(`${artists[0].artist}, Comedian`);
  // The how-to card is one of the six.
  await expect(frontCard(page)).toContainText(`#${artists[5].id}`);
});

test('the card that is dragged has the stamp, the next face has none', async ({ page }) => {
  await page.goto(`${site('diski99')}/`);
  const { down, move, up } = await finger(page);
  const front = frontCard(page);
  const at = await middleOf(front);
  const swiped = (await front.getAttribute('aria-label')) ?? '';
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
  expect(await icon.evaluate(each => each.closest('article')?.getAttribute('aria-label'))).toBe(swiped);
  await expect(front.locator('.deck-icon')).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('the deck is where it was left when one comes back from an artist, and after a reload', async ({
  page,
}) => {
  await page.goto(`${site('mcfunny')}/`);
  await swipe(page, 'left');
  await swipe(page, 'left');
  await expect(frontCard(page)).toContainText('#2');
  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/2\//);
  await page.goBack();
  await expect(frontCard(page)).toContainText('#3');
  await page.reload();
  await expect(frontCard(page)).toContainText('#3');
  // A visit of its own begins with a face, and the how-to card is dealt once on a phone.
  const another = await page.context().newPage();
  await another.goto(`${site('mcfunny')}/`);
  await takenOver(another);
  await expect(frontCard(another)).toContainText('#1');
  await another.keyboard.press('ArrowLeft');
  await expect(frontCard(another)).toContainText('#2');
});
