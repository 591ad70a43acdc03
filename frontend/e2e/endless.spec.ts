/** Lists of more than a thousand items: scrolling to the end by touch, and search. */
import { expect, type Locator, type Page } from '@playwright/test';
import { COUNT } from './large-catalogues';
import {
  centerOf,
  expectNoAxeFindings,
  expectOnlyRefused,
  frontCard,
  openAsTestNumber,
  site,
  test,
  touchInput,
} from './visit';

/** The most cards in the document: about 60 around the viewport, and the focused one. */
const MAX_CARDS = 70;

/** Scrolls by touch, and waits until the scrolling has ended. `across`: horizontally. */
async function scroll(page: Page, distance: number, at = { x: 180, y: 600 }, across = false): Promise<void> {
  await (await touchInput(page)).drag(at, across ? -distance : 0, across ? 0 : -distance);
  const place = () =>
    page.evaluate(() =>
      [
        scrollY,
        ...[...document.querySelectorAll('nav, .artist-rail')].map(each => each.scrollTop + each.scrollLeft),
      ].join(),
    );
  // Waits for the end of the scroll animation: a tap would only stop it.
  let before = '';
  for (let now = await place(); now !== before; now = await place()) {
    before = now;
    await page.waitForTimeout(150);
  }
}

const cards = (page: Page) => page.locator('main .grid > li');
const grid = (page: Page) => page.locator('main .grid');

/** The first visible item, and its position. */
const onScreen = (page: Page) =>
  page.evaluate(() => {
    // The first point may be in the gap between two rows.
    const items = [90, 90].map((x, row) => document.elementFromPoint(x, 400 + 30 * row));
    const item = items.map(each => each?.closest('main .grid > li')).find(each => each);
    return item
      ? { place: Number(item.getAttribute('aria-posinset')), top: item.getBoundingClientRect().top }
      : null;
  });

/** Scrolls to the end of a list, by steps that are wider than what is in the document. */
async function toTheEnd(page: Page): Promise<void> {
  await passAll(page, 15_000);
}

/** Scrolls to the end of a list by steps of so many pixels. `seen` is called after each step. */
async function passAll(
  page: Page,
  step: number,
  seen: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const end = page.getByText(/^That is all: \d+ in this list\.$/);
  const isThere = () =>
    end.evaluateAll(ends => ends.some(each => each.getBoundingClientRect().top < innerHeight));
  for (let stop = 0; !(await isThere()); stop++) {
    expect(stop, 'stops before the end').toBeLessThan(200);
    await scroll(page, step);
    expect(await cards(page).count()).toBeLessThanOrEqual(MAX_CARDS);
    // Only cards are visible, or the end.
    await expect.poll(async () => (await onScreen(page)) !== null || (await isThere())).toBe(true);
    await seen();
  }
}

/** The id of an imported item. */
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
  test(`${name} continue to the last of 1,100, with about 60 in the document`, async ({ page }) => {
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
    await expectNoAxeFindings(page);
    await expect(cards(page).first()).toContainText('Long story 1');
  });

test('going back from a film restores the position and the focus of its card', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  for (let stop = 0; stop < 6; stop++) await scroll(page, 6000);
  const before = await onScreen(page);
  expect(before?.place).toBeGreaterThan(200);
  const link = page.locator(`main .grid > li[aria-posinset="${before?.place}"] a`);
  const title = await link.locator('.video-card-title').textContent();
  await page.touchscreen.tap((await centerOf(link)).x, (await centerOf(link)).y);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
  await page.goBack();
  await expect(grid(page)).toBeVisible();
  await expect.poll(() => onScreen(page)).toEqual(before);
  await expect(link).toBeFocused();
  expect(await cards(page).count()).toBeLessThanOrEqual(MAX_CARDS);
});

test('the focused card keeps the focus while scrolling, and Tab continues from it', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  await expect(page.getByText('Show more')).toBeAttached();
  const link = (place: number) => page.locator(`main .grid > li[aria-posinset="${place}"] a`);
  await link(3).focus();
  // Without touch: the browser would continue Tab from the touched element.
  for (let stop = 0; stop < 4; stop++) {
    await page.evaluate(() => scrollBy(0, 6000));
    await expect.poll(async () => (await onScreen(page))?.place ?? 0).toBeGreaterThan(40 * (stop + 1));
  }
  await expect(link(3)).toBeFocused();
  expect((await onScreen(page))?.place).toBeGreaterThan(100);
  expect(await cards(page).count()).toBeLessThanOrEqual(MAX_CARDS);
  await page.keyboard.press('Tab');
  await expect(link(4)).toBeFocused();
  await expect(link(4)).toBeInViewport();
  // Each card once, in order.
  for (let place = 5; place <= 130; place++) {
    await page.keyboard.press('Tab');
    await expect(link(place)).toBeFocused();
  }
  expect(await cards(page).count()).toBeLessThanOrEqual(MAX_CARDS);
});

test('rotating the screen keeps the visible cards', async ({ page }) => {
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
  expect(await cards(page).count()).toBeLessThanOrEqual(MAX_CARDS);
});

test('a lost connection shows an error, and the list continues after a retry', async ({
  page,
  pageErrors,
}) => {
  await page.goto(`${site('ttmbhatv')}/terms`);
  const id = await idOf(page, '/api/tt/getCategory/ttmbhatv', 'Endless');
  const next = '**/api/tt/catVideos/*?limit=200&after=*';
  await page.route(next, route => route.abort('internetdisconnected'));
  await page.goto(`${site('ttmbhatv')}/ttcategory/${id}/ttmbhatv`);
  const alert = page.getByRole('alert').filter({ hasText: 'We could not load this.' });
  for (let stop = 0; stop < 8; stop++) await scroll(page, 6000);
  await expect(alert).toBeVisible();
  await expectNoAxeFindings(page);
  await page.unroute(next);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  await toTheEnd(page);
  await expect(cards(page).last()).toContainText('Long story 1100');
  expectOnlyRefused(pageErrors, 'ERR_INTERNET_DISCONNECTED');
});

test('the menu and the row of comedians continue to the last one', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/allvideos/1/MC%20Funny/1`);
  const rail = page.locator('.artist-rail');
  const lastOf = (list: Locator) => list.locator('li').last();
  const { x, y } = await centerOf(rail);
  for (let stop = 0; !(await lastOf(rail).textContent())?.includes('Comic 1100'); stop++) {
    expect(stop).toBeLessThan(100);
    await scroll(page, 20_000, { x, y }, true);
    expect(await rail.locator('li').count()).toBeLessThanOrEqual(MAX_CARDS);
  }
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.locator('.nav-scroll');
  for (let stop = 0; !(await lastOf(menu).textContent())?.includes('Comic 1100'); stop++) {
    expect(stop).toBeLessThan(100);
    await scroll(page, 20_000);
    expect(await menu.locator('li').count()).toBeLessThanOrEqual(MAX_CARDS);
  }
  await lastOf(menu).getByRole('link').click();
  await expect(page.getByText('No videos here yet. Come back soon.')).toBeVisible();
});

test('the deck of comedians continues after its first page', async ({ page }) => {
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

test('the meme home shows each meme once, and ends after the last one', async ({ page }) => {
  const drawn: string[] = [];
  page.on('request', request => drawn.push(new URL(request.url()).pathname));
  await page.goto(`${site('memeworld')}/`);
  const seen = new Map<number, string>();
  // Each step shows items of the last one.
  await passAll(page, 4500, async () => {
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
      calls.filter(call => call.startsWith('search')),
      'no search before a letter is typed',
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

test('search results continue beyond the first page, and the count says so', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/search?q=long%20story`);
  await expect(page.getByText('More than 60 found')).toBeVisible();
  await toTheEnd(page);
  await expect(page.getByText('That is all: 1000 in this list.')).toBeVisible();
});

test('the next letter cancels the previous call', async ({ page }) => {
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

test('recent searches are stored on the phone, repeat with a tap, and can be removed', async ({ page }) => {
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
  await expectNoAxeFindings(page);
  await page.screenshot({ path: 'test-results/recent-searches.png' });
  await page.getByRole('button', { name: 'Remove story 8' }).click();
  await expect(recent).toHaveCount(7);
  await page.getByRole('button', { name: 'quagmire', exact: true }).click();
  await expect(page.getByText('1 found')).toBeVisible();
  await page.reload();
  await field.fill('');
  await expect(recent).toHaveCount(7);
});

test('a failed search shows an error and can be retried', async ({ page, pageErrors }) => {
  await page.route('**/api/tt/search/**', route => route.fulfill({ status: 503, json: { status: 503 } }));
  // By typing: the server draws the results of an address.
  await page.goto(`${site('ttmbhatv')}/search`);
  await page.getByRole('searchbox').fill('zebrafish');
  await expect(page.getByText('We could not load this. The problem is on our side.')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.unroute('**/api/tt/search/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('1 found')).toBeVisible();
  expectOnlyRefused(pageErrors, '503');
});

test('a watchlist of 230 videos goes on to its end, with scripts and without', async ({ page, browser }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const change = (on: boolean) =>
    page.evaluate(async on => {
      const categories = await (await fetch('/api/tt/getCategory/ttmbhatv')).json();
      const { id } = categories.find((each: { category_name: string }) => each.category_name === 'Endless');
      const first = await (await fetch(`/api/tt/catVideos/${id}?limit=200`)).json();
      const after = first.videos.at(-1).id;
      const second = await (await fetch(`/api/tt/catVideos/${id}?limit=30&after=${after}`)).json();
      for (const { id } of [...first.videos, ...second.videos])
        await fetch(`/api/tt/${on ? 'ttaddwatchlist' : 'ttremove'}`, {
          method: on ? 'POST' : 'DELETE',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ videoid: id }),
        });
    }, on);
  await change(true);
  await page.goto(`${site('ttmbhatv')}/watchlist`);
  await toTheEnd(page);
  const [, count] =
    /(\d+) in this list/.exec((await page.getByText(/^That is all/).textContent()) ?? '') ?? [];
  expect(Number(count)).toBeGreaterThanOrEqual(230);

  const storageState = await page.context().storageState();
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false, storageState });
  const plain = await withoutScripts.newPage();
  await plain.goto(`${site('ttmbhatv')}/watchlist`);
  const shown = new Set<string>();
  const more = plain.getByRole('link', { name: 'Show more' });
  for (;;) {
    const films = plain.locator('main .video-card');
    await expect(films.first()).toBeVisible();
    for (const film of await films.all()) shown.add((await film.getAttribute('href')) ?? '');
    if ((await more.count()) === 0) break;
    const address = plain.url();
    await more.click();
    await plain.waitForURL(url => url.href !== address && url.searchParams.has('after'));
  }
  expect(shown.size).toBe(Number(count));
  // A film that is removed on a later page leads back to that page.
  const last = new URL(plain.url()).searchParams.get('after');
  await plain
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click();
  await plain.waitForURL(url => url.hash === '#main' && url.searchParams.get('after') === last);
  await withoutScripts.close();
  await change(false);
});
