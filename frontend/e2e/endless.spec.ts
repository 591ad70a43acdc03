/** Lists of more than a thousand items, to their end by touch, and the search among them. */
import { expect, type Locator, type Page } from '@playwright/test';
import { COUNT } from './large-catalogues';
import { accessible, finger, frontCard, middleOf, onlyRefused, site, test } from './visit';

/** So many cards are in the document at most: about 60 around the screen, and the one with the focus. */
const MOST = 70;

/** A finger that scrolls, and what it sets in motion. `across`: to the side. */
async function scroll(page: Page, distance: number, at = { x: 180, y: 600 }, across = false): Promise<void> {
  await (await finger(page)).drag(at, across ? -distance : 0, across ? 0 : -distance);
  const place = () =>
    page.evaluate(() =>
      [
        scrollY,
        ...[...document.querySelectorAll('nav, .artist-rail')].map(each => each.scrollTop + each.scrollLeft),
      ].join(),
    );
  // What was set in motion has come to rest. Its last pixels take their time, and a tap would only stop them.
  let before = '';
  for (let now = await place(); now !== before; now = await place()) {
    before = now;
    await page.waitForTimeout(150);
  }
}

const cards = (page: Page) => page.locator('main .grid > li');
const grid = (page: Page) => page.locator('main .grid');

/** The first item of the screen, and where on it. */
const onScreen = (page: Page) =>
  page.evaluate(() => {
    // Between two rows is a gap.
    const items = [90, 90].map((x, row) => document.elementFromPoint(x, 400 + 30 * row));
    const item = items.map(each => each?.closest('main .grid > li')).find(each => each);
    return item
      ? { place: Number(item.getAttribute('aria-posinset')), top: item.getBoundingClientRect().top }
      : null;
  });

/** Scrolls to the end of a list. `seen` is told of each stop. */
async function toTheEnd(page: Page, seen: () => Promise<unknown> = async () => undefined): Promise<void> {
  const end = page.getByText(/^That is all: \d+ in this list\.$/);
  const isThere = () =>
    end.evaluateAll(ends => ends.some(each => each.getBoundingClientRect().top < innerHeight));
  for (let stop = 0; !(await isThere()); stop++) {
    expect(stop, 'stops before the end').toBeLessThan(200);
    await scroll(page, 4500);
    expect(await cards(page).count()).toBeLessThanOrEqual(MOST);
    // Nothing but cards is on the screen, or the end.
    await expect.poll(async () => (await onScreen(page)) !== null || (await isThere())).toBe(true);
    await seen();
  }
}

/** The id of what this test has imported. */
const idOf = async (page: Page, address: string, name: string): Promise<number> =>
  page.evaluate(
    async ([address, name]) => {
      const all: Record<string, unknown>[] = await (await fetch(address as string)).json();
      return all.find(each => Object.values(each).includes(name))?.id as number;
    },
    [address, name],
  );

const lists = [
  {
    name: 'the films of a category',
    label: 'ttmbhatv',
    of: ['/api/tt/getCategory/ttmbhatv', 'Endless'],
    page: (id: number) => `/ttcategory/${id}/ttmbhatv`,
  },
  {
    name: 'the videos of a comedian',
    label: 'mcfunny',
    of: ['/api/madfunny/fetchArtist?service=MC%20Funny', 'Comic 1'],
    page: (id: number) => `/allvideos/${id}/MC%20Funny/1`,
  },
  {
    name: 'the memes of a category',
    label: 'memeworld',
    of: ['/api/meme/getMemeCategories', 'Endless'],
    page: (id: number) => `/memeCategory/1/${id}/memeworld`,
  },
] as const;

for (const { name, label, of, page: addressOf } of lists)
  test(`${name} go on to the last of 1,100, with about 60 in the document`, async ({ page }) => {
    await page.goto(`${site(label)}/terms`);
    await page.goto(site(label) + addressOf(await idOf(page, of[0], of[1])));
    await expect(page.getByText('Show more')).toBeAttached();
    await toTheEnd(page);
    await expect(page.getByText('That is all: 1100 in this list.')).toBeVisible();
    const last = cards(page).last();
    await expect(last).toHaveAttribute('aria-posinset', '1100');
    await expect(last).toHaveAttribute('aria-setsize', '1100');
    await expect(last).toContainText('Long story 1100');
    await page.screenshot({ path: `test-results/endless-${label}-end.png` });
    await accessible(page);
    await expect(cards(page).first()).toContainText('Long story 1');
  });

test('a visitor who comes back from a film is at its card, which has the focus', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  for (let stop = 0; stop < 6; stop++) await scroll(page, 6000);
  const before = await onScreen(page);
  expect(before?.place).toBeGreaterThan(200);
  const link = page.locator(`main .grid > li[aria-posinset="${before?.place}"] a`);
  const title = await link.locator('.video-card-title').textContent();
  await page.touchscreen.tap((await middleOf(link)).x, (await middleOf(link)).y);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
  await page.goBack();
  await expect(grid(page)).toBeVisible();
  await expect.poll(() => onScreen(page)).toEqual(before);
  await expect(link).toBeFocused();
  expect(await cards(page).count()).toBeLessThanOrEqual(MOST);
});

test('what has the focus keeps it, and the Tab key goes on from there', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  await expect(page.getByText('Show more')).toBeAttached();
  const link = (place: number) => page.locator(`main .grid > li[aria-posinset="${place}"] a`);
  await link(3).focus();
  // Not by a finger: the browser goes on with Tab from where that was.
  for (let stop = 0; stop < 4; stop++) {
    await page.evaluate(() => scrollBy(0, 6000));
    await expect.poll(async () => (await onScreen(page))?.place ?? 0).toBeGreaterThan(40 * (stop + 1));
  }
  await expect(link(3)).toBeFocused();
  expect((await onScreen(page))?.place).toBeGreaterThan(100);
  expect(await cards(page).count()).toBeLessThanOrEqual(MOST);
  await page.keyboard.press('Tab');
  await expect(link(4)).toBeFocused();
  await expect(link(4)).toBeInViewport();
  // From card to card, each one once.
  for (let place = 5; place <= 130; place++) {
    await page.keyboard.press('Tab');
    await expect(link(place)).toBeFocused();
  }
  expect(await cards(page).count()).toBeLessThanOrEqual(MOST);
});

test('a screen that is turned keeps what was on it', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  for (let stop = 0; stop < 4; stop++) await scroll(page, 6000);
  const first = () =>
    page.evaluate(() => {
      const items = [...document.querySelectorAll('main .grid > li')];
      const shown = items.find(each => each.getBoundingClientRect().bottom > 0);
      return Number(shown?.getAttribute('aria-posinset'));
    });
  const before = await first();
  expect(before).toBeGreaterThan(100);
  await page.setViewportSize({ width: 900, height: 400 });
  await expect.poll(async () => Math.abs((await first()) - before)).toBeLessThanOrEqual(4);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(async () => Math.abs((await first()) - before)).toBeLessThanOrEqual(4);
  expect(await cards(page).count()).toBeLessThanOrEqual(MOST);
});

test('a line that drops in the middle is told, and the list goes on', async ({ page, mishaps }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  const next = '**/api/tt/catVideos/*?limit=200&after=*';
  await page.route(next, route => route.abort('internetdisconnected'));
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  const alert = page.getByRole('alert').filter({ hasText: 'We could not load this.' });
  for (let stop = 0; stop < 8; stop++) await scroll(page, 6000);
  await expect(alert).toBeVisible();
  await accessible(page);
  await page.unroute(next);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  await toTheEnd(page);
  await expect(cards(page).last()).toContainText('Long story 1100');
  onlyRefused(mishaps, 'ERR_INTERNET_DISCONNECTED');
});

test('the menu and the row of comedians go on to the last', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/allvideos/1/MC%20Funny/1`);
  const rail = page.locator('.artist-rail');
  const lastOf = (list: Locator) => list.locator('li').last();
  const { x, y } = await middleOf(rail);
  for (let stop = 0; !(await lastOf(rail).textContent())?.includes('Comic 1100'); stop++) {
    expect(stop).toBeLessThan(100);
    await scroll(page, 6000, { x, y }, true);
    expect(await rail.locator('li').count()).toBeLessThanOrEqual(MOST);
  }
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.locator('.nav-scroll');
  for (let stop = 0; !(await lastOf(menu).textContent())?.includes('Comic 1100'); stop++) {
    expect(stop).toBeLessThan(100);
    await scroll(page, 6000);
    expect(await menu.locator('li').count()).toBeLessThanOrEqual(MOST);
  }
  await lastOf(menu).getByRole('link').click();
  await expect(page.getByText('No videos here yet. Come back soon.')).toBeVisible();
});

test('the deck of comedians goes on after its first page', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/terms`);
  const id = await idOf(page, '/api/madfunny/fetchArtist?service=MC%20Funny', 'Comic 180');
  await page.evaluate(key => {
    localStorage.setItem('spaza.how-to', 'yes');
    sessionStorage.setItem('spaza.deck.MC Funny', key);
  }, String(id));
  await page.goto(`${site('mcfunny')}/`);
  for (let number = 180; number <= 230; number++) {
    await expect(frontCard(page)).toContainText(`Comic ${number}`);
    await page.keyboard.press('ArrowLeft');
  }
});

test('the home of memes shows each meme once, and ends when the visitor has seen all', async ({ page }) => {
  const drawn: string[] = [];
  page.on('request', request => drawn.push(new URL(request.url()).pathname));
  await page.goto(`${site('memeworld')}/`);
  const seen = new Map<number, string>();
  await toTheEnd(page, async () => {
    const now = await cards(page).evaluateAll(items =>
      items.map(item => [Number(item.getAttribute('aria-posinset')), item.textContent] as const),
    );
    for (const [place, text] of now) seen.set(place, text ?? '');
  });
  const end = await page.getByText(/^That is all/).textContent();
  expect(Number(/\d+/.exec(end ?? '')?.[0])).toBeGreaterThan(COUNT);
  const stories = [...seen.values()].filter(text => text.startsWith('Long story'));
  expect(new Set(stories).size, 'no meme twice').toBe(stories.length);
  expect(drawn.filter(path => path.startsWith('/api/meme/')).length).toBeLessThan(60);
});

const searched = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.startsWith('/api/'))
      calls.push(`${pathname.split('/')[3]} ${searchParams.get('q') ?? ''}`.trim());
  });
  return calls;
};

for (const { label, hit } of [
  { label: 'ttmbhatv', hit: 'main .video-card' },
  { label: 'mcfunny', hit: 'main .video-card' },
  { label: 'memeworld', hit: 'main .meme-card' },
])
  test(`${label}: the search finds the 21st and the 1,000th of 1,100 by one call each, with a wrong letter too`, async ({
    page,
  }) => {
    const calls = searched(page);
    await page.goto(`${site(label)}/search`);
    await page.waitForLoadState('networkidle');
    expect(
      calls.filter(call => !call.startsWith('vitals')),
      'no call before a letter is typed',
    ).toEqual([]);
    for (const [words, title] of [
      ['zebrafish', 'The Zebrafish Parade'],
      ['quagmire', 'A Quagmire at Dawn'],
      ['zebrafosh', 'The Zebrafish Parade'],
      ['quogmire', 'A Quagmire at Dawn'],
    ] as const) {
      await page.getByRole('searchbox').fill('');
      calls.length = 0;
      // At once: on a busy machine letters come so slowly that each would be searched for.
      await page.keyboard.insertText(words);
      await expect(page.locator(hit).first()).toContainText(title);
      expect(calls.filter(call => call.startsWith('search'))).toEqual([`search ${words}`]);
    }
  });

test('what a search finds goes on, and says so', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/search?q=long%20story`);
  await expect(page.getByText('More than 60 found')).toBeVisible();
  await toTheEnd(page);
  await expect(page.getByText('That is all: 1000 in this list.')).toBeVisible();
});

test('the next letter ends the call for the earlier ones', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/search`);
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/api/tt/search/**q=zebra&**', async route => {
    await held;
    await route.abort().catch(() => undefined);
  });
  const ended = page.waitForEvent('requestfailed', request => request.url().includes('q=zebra&'));
  await page.getByRole('searchbox').pressSequentially('zebra');
  await page.waitForRequest('**/api/tt/search/**q=zebra&**');
  await page.getByRole('searchbox').press('f');
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
  await expect(page.locator('main .video-card').first()).toContainText('The Zebrafish Parade');
  release();
});

test('recent searches stay on the phone: one tap looks again, and each can be removed', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/search`);
  const field = page.getByRole('searchbox');
  for (const words of ['zebrafish', 'quagmire']) {
    await field.fill(words);
    await expect(page.getByText('1 found')).toBeVisible();
    await field.press('Enter');
  }
  for (let number = 1; number <= 8; number++) {
    await field.fill(`story ${number}`);
    await expect(page.getByText(/found$/)).toBeVisible();
    await expect(page.locator('main .video-card').first()).toContainText(`story ${number}`);
    await field.press('Enter');
  }
  await field.fill('quagmire');
  await expect(page.getByText('1 found')).toBeVisible();
  await page.locator('main .video-card').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A Quagmire at Dawn');
  await page.goto(`${site('ttmbhatv')}/search`);
  const recent = page.locator('.search-recent li');
  await expect(recent).toHaveCount(8);
  await expect(recent.first()).toContainText('quagmire');
  await accessible(page);
  await page.screenshot({ path: 'test-results/recent-searches.png' });
  await page.getByRole('button', { name: 'Remove story 8' }).click();
  await expect(recent).toHaveCount(7);
  await page.getByRole('button', { name: 'quagmire', exact: true }).click();
  await expect(page.getByText('1 found')).toBeVisible();
  await page.reload();
  await field.fill('');
  await expect(recent).toHaveCount(7);
});

test('a search that fails is told, and can be tried again', async ({ page, mishaps }) => {
  await page.route('**/api/tt/search/**', route => route.fulfill({ status: 503, json: { status: 503 } }));
  await page.goto(`${site('ttmbhatv')}/search?q=zebrafish`);
  await expect(page.getByText('We could not load this. The problem is on our side.')).toBeVisible();
  await accessible(page);
  await page.unroute('**/api/tt/search/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('1 found')).toBeVisible();
  onlyRefused(mishaps, '503');
});
