/** Videos one after another on the whole screen: swipes up by a finger, one plays at a time, what is fetched ahead, and the way back. */
import { expect, type Page } from '@playwright/test';
import { expectNoAxeFindings, openAsTestNumber, screenshot, site, test, touchInput } from './visit';

const BRANDS = [
  { label: 'mcfunny', home: '/redirect', service: 'MC Funny', name: 'comedians' },
  { label: 'diski99', home: '/doRedirect', service: 'diski99', name: 'footballers' },
  { label: 'ttmbhatv', home: '/ttredirect', service: 'ttmbhatv', name: 'video on demand' },
];

/** The video on the screen plays, and no other. Answers its title. */
async function plays(page: Page): Promise<string> {
  const now = page.locator('.feed li:not([inert]) video');
  await expect(now).toBeVisible();
  await expect.poll(() => now.evaluate((v: HTMLVideoElement) => v.currentTime)).toBeGreaterThan(0.1);
  expect(await page.locator('video').count()).toBeLessThanOrEqual(3);
  await expect
    .poll(() =>
      page
        .locator('video')
        .evaluateAll(all => (all as HTMLVideoElement[]).filter(video => !video.paused).length),
    )
    .toBe(1);
  return (await now.getAttribute('aria-label')) ?? '';
}

const titleNow = (page: Page) => page.locator('.feed li:not([inert]) .feed-foot h2');

async function swipeUp(page: Page, by = -500): Promise<void> {
  // A title shows half way to its film: a finger would stop the movement there, and move half a film less.
  await expect
    .poll(() => page.locator('.feed').evaluate(each => each.scrollTop % each.clientHeight))
    .toBeLessThan(1);
  // Far beyond half a film: a slow browser loses the last step of a finger that lifts, and goes back from there.
  await (await touchInput(page)).drag({ x: 180, y: by < 0 ? 600 : 100 }, 0, by);
}

for (const { label, home, service, name } of BRANDS)
  test(`${name}: a swipe up plays the next video, and Back finds the place`, async ({ page }) => {
    await openAsTestNumber(page, label, home, service);
    await page.getByRole('link', { name: 'Watch one after another' }).tap();
    await expect(page).toHaveURL(`${site(label)}/feed`);
    const titles = [await plays(page)];
    await screenshot(page, `feed-${label}-360`);
    await expectNoAxeFindings(page);
    for (let swipes = 0; swipes < 4; swipes++) {
      await swipeUp(page);
      await expect(titleNow(page)).not.toHaveText(titles.at(-1) ?? '');
      titles.push(await plays(page));
      expect(await page.locator('.feed li').count()).toBeLessThanOrEqual(6);
    }
    expect(new Set(titles).size).toBe(5);
    await swipeUp(page, 500);
    await expect(titleNow(page)).toHaveText(titles[3] ?? '');
    await plays(page);
    // The browser's own controls would take the tap.
    await expect(page.locator('video[controls]')).toHaveCount(0);
    // Its own page, and back to its place.
    await titleNow(page).getByRole('link').tap();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Watch one after another');
    await page.goBack();
    await expect(titleNow(page)).toHaveText(titles[3] ?? '');
    await plays(page);
    await page.reload();
    await expect(titleNow(page)).toHaveText(titles[3] ?? '');
    // Keys lead on and back.
    await page.keyboard.press('ArrowDown');
    await expect(titleNow(page)).toHaveText(titles[4] ?? '');
    await page.keyboard.press('PageUp');
    await expect(titleNow(page)).toHaveText(titles[3] ?? '');
    for (const [width, height] of [
      [320, 568],
      [740, 360],
      [768, 1024],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(titleNow(page)).toHaveText(titles[3] ?? '');
      await expect(titleNow(page)).toBeInViewport();
      await expectNoAxeFindings(page);
      await screenshot(page, `feed-${label}-${width}`);
    }
  });

test('the list goes on to its end, over all comedians', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const count = await page.evaluate(async () => {
    let videos = 0;
    const artists = await (await fetch('/api/madfunny/fetchArtist?service=MC%20Funny')).json();
    for (const { id } of artists)
      videos += (await (await fetch(`/api/madfunny/fetchVideos/${id}`)).json()).length;
    return videos;
  });
  await page.goto(`${site('mcfunny')}/feed`);
  await expect(titleNow(page)).toBeVisible();
  const seen = new Set<string>();
  // The back office's walks, which may run beside this test, put a video live and take it down: the page states its own count.
  const end = page.getByText(/^That is all: \d+ videos\.$/);
  const atEnd = async () =>
    (await end.count()) > 0 && (await end.evaluate(each => each.getBoundingClientRect().top < innerHeight));
  while (!(await atEnd())) {
    seen.add((await titleNow(page).textContent()) ?? '');
    expect(seen.size).toBeLessThanOrEqual(count + 2);
    const before = await page.locator('.feed').evaluate(each => each.scrollTop);
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.locator('.feed').evaluate(each => each.scrollTop))
      .toBeGreaterThan(before + 600);
    await expect
      .poll(() => page.locator('.feed').evaluate(each => each.scrollTop % each.clientHeight))
      .toBeLessThan(1);
    expect(await page.locator('video').count()).toBeLessThanOrEqual(3);
  }
  await expect(end).toBeInViewport();
  await expect(end).toHaveText(`That is all: ${seen.size} videos.`);
  expect(seen.size).toBeGreaterThanOrEqual(count - 2);
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'From the beginning' }).tap();
  await expect(titleNow(page)).toBeInViewport();
});

/** A feed of many films, of the demo's files. */
async function manyFilms(page: Page, count: number): Promise<void> {
  const [artist] = await (
    await page.request.get(`${site('mcfunny')}/api/madfunny/fetchArtist?service=MC%20Funny&limit=1`)
  ).json();
  const lists = await Promise.all(
    [1, 2, 3].map(async id =>
      (await page.request.get(`${site('mcfunny')}/api/madfunny/fetchVideos/${id}`)).json(),
    ),
  );
  const films = lists.flat();
  const many = Array.from({ length: count }, (_, nth) => {
    const id = 1000 + nth;
    return { ...films[nth % films.length], id, videoid: id, video_name: `Film ${nth}` };
  });
  await page.route('**/api/madfunny/fetchArtist*', route => route.fulfill({ json: [artist] }));
  await page.route('**/api/madfunny/fetchVideos/*', route => route.fulfill({ json: many }));
}

test('after 200 swipes the page holds no more than after 20, and one film at a time had sound', async ({
  page,
}) => {
  // As often as the screen is painted.
  await page.addInitScript(() => {
    const look = () => {
      const films = [...document.querySelectorAll('video')];
      const loud = films.filter(film => !film.paused && !film.muted).length;
      const { dataset } = document.documentElement;
      dataset.loud = String(Math.max(loud, Number(dataset.loud ?? 0)));
      dataset.films = String(Math.max(films.length, Number(dataset.films ?? 0)));
      requestAnimationFrame(look);
    };
    addEventListener('DOMContentLoaded', look);
  });
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await manyFilms(page, 240);
  await page.goto(`${site('mcfunny')}/feed`);
  await plays(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  /** All of a class, in the document or not. */
  const objects = async (name: string): Promise<number> => {
    const { result } = await devtools.send('Runtime.evaluate', { expression: `${name}.prototype` });
    const { objects: found } = await devtools.send('Runtime.queryObjects', {
      prototypeObjectId: result.objectId ?? '',
    });
    const { result: counted } = await devtools.send('Runtime.callFunctionOn', {
      objectId: found.objectId,
      functionDeclaration: 'function () { return this.length }',
      returnByValue: true,
    });
    await devtools.send('Runtime.releaseObject', { objectId: found.objectId ?? '' });
    return counted.value;
  };
  const measure = async () => {
    await plays(page);
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const metric = (of: string) => metrics.find(({ name }) => name === of)?.value ?? 0;
    return {
      heap: metric('JSHeapUsedSize'),
      nodes: metric('Nodes'),
      listeners: metric('JSEventListeners'),
      films: await objects('HTMLVideoElement'),
      sources: await objects('MediaSource'),
      workers: page.workers().length,
    };
  };
  const { down, move, up } = await touchInput(page);
  /** By fast swipes, of which one may stop the last one's movement. */
  const swipeTo = async (film: number) => {
    let at = (await titleNow(page).textContent()) ?? '';
    while (Number(at.slice(5)) < film) {
      await down({ x: 180, y: 480 });
      for (const y of [400, 240, 80]) await move({ x: 180, y });
      await up();
      await expect(titleNow(page))
        .not.toHaveText(at, { timeout: 700 })
        .catch(() => undefined);
      at = (await titleNow(page).textContent()) ?? '';
    }
  };
  await swipeTo(20);
  const before = await measure();
  await swipeTo(200);
  const after = await measure();
  expect(after.nodes).toBeLessThan(before.nodes + 100);
  expect(after.listeners).toBeLessThan(before.listeners + 100);
  expect(after.heap, 'bytes').toBeLessThan(before.heap + 3_000_000);
  for (const players of [after.films, after.sources, after.workers]) expect(players).toBeLessThanOrEqual(3);
  await expect(page.locator('html')).toHaveAttribute('data-loud', '1');
  await expect(page.locator('html')).toHaveAttribute('data-films', /^[123]$/);
});

/** The files of media that a page asks for. */
const media = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', request => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/media/') && !pathname.endsWith('.vtt')) asked.push(pathname);
  });
  return asked;
};

test('the next video is fetched ahead once the first one plays', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const asked = media(page);
  await page.goto(`${site('mcfunny')}/feed`);
  await plays(page);
  await expect(page.locator('video')).toHaveCount(2);
  // The second one of the demo is a stream: its lists and one segment, and no more.
  const segments = () =>
    asked.filter(path => path.includes('the-last-two-minutes') && !path.endsWith('.m3u8'));
  await expect.poll(() => new Set(segments()).size).toBeGreaterThan(0);
  await page.waitForTimeout(3000);
  const files = new Set(segments().filter(path => !/init|\.mp4$/.test(path)));
  expect(files.size).toBeLessThanOrEqual(1);
  await swipeUp(page);
  await plays(page);
  await expect.poll(() => new Set(segments()).size).toBeGreaterThan(2);
});

for (const [name, prepare] of [
  [
    'with Save-Data',
    () => Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  ],
  [
    'near the cap',
    () => {
      const month = new Date(Date.now() + 7_200_000).toISOString().slice(0, 7);
      if (location.protocol === 'http:')
        localStorage.setItem('spaza.data.mcfunny', JSON.stringify({ month, bytes: 99_500_000, cap: 100 }));
    },
  ],
] as const)
  test(`nothing is fetched ahead ${name}`, async ({ page }) => {
    await page.addInitScript(prepare);
    await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
    const asked = media(page);
    await page.goto(`${site('mcfunny')}/feed`);
    await plays(page);
    await page.waitForTimeout(3000);
    await expect(page.locator('video')).toHaveCount(1);
    expect(new Set(asked).size).toBe(1);
  });

test('at the cap nothing plays, and a notice is shown', async ({ page }) => {
  await page.addInitScript(() => {
    const month = new Date(Date.now() + 7_200_000).toISOString().slice(0, 7);
    if (location.protocol === 'http:' && !localStorage.getItem('spaza.data.mcfunny'))
      localStorage.setItem('spaza.data.mcfunny', JSON.stringify({ month, bytes: 100_000_000, cap: 100 }));
  });
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const asked = media(page);
  await page.goto(`${site('mcfunny')}/feed`);
  await expect(page.getByRole('heading', { name: 'Your 100 MB for this month are used' })).toBeVisible();
  expect(asked).toEqual([]);
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'Watch on anyway' }).tap();
  await plays(page);
});

test('a visitor without a subscription sees the pictures and the way in with its price, and no media is asked for', async ({
  page,
}) => {
  const asked = media(page);
  await page.goto(`${site('ttmbhatv')}/feed`);
  const now = page.locator('.feed-lock');
  await expect(now.getByRole('link', { name: 'Join now' })).toBeVisible();
  await expect(now.locator('.price-line')).toContainText('R3/day');
  await screenshot(page, 'feed-gate-360');
  await expectNoAxeFindings(page);
  const first = await titleNow(page).textContent();
  await swipeUp(page);
  await expect(titleNow(page)).not.toHaveText(first ?? '');
  await expect(now.getByRole('link', { name: 'Join now' })).toBeVisible();
  for (const [width, height] of [
    [320, 568],
    [568, 320],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(now.getByRole('link', { name: 'Join now' })).toBeInViewport({ ratio: 1 });
    await expectNoAxeFindings(page);
    await screenshot(page, `feed-gate-${width}`);
  }
  await expect(page.locator('.feed-picture > video')).toHaveCount(0);
  expect(asked).toEqual([]);
});

/** The clips that a page asks for. */
const clips = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', request => request.url().includes('/img/raw:1/') && asked.push(request.url()));
  return asked;
};
const clip = (page: Page) => page.locator('.clip[data-plays="true"]');

test('ten seconds of a locked film play in the feed and on its page, and a tap ends them', async ({
  page,
}) => {
  const asked = clips(page);
  await page.goto(`${site('ttmbhatv')}/feed`);
  await expect(clip(page)).toBeVisible();
  await screenshot(page, 'feed-clip-360');
  await expectNoAxeFindings(page);
  expect(await page.locator('.clip video').evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
  // The first three films of the demo have one, and the fourth has none.
  for (let swipes = 0; swipes < 3; swipes++) {
    await expect(clip(page)).toBeVisible();
    const title = await titleNow(page).textContent();
    await swipeUp(page);
    await expect(titleNow(page)).not.toHaveText(title ?? '');
  }
  await page.waitForTimeout(1500);
  await expect(page.locator('.clip')).toHaveCount(0);
  expect(new Set(asked).size).toBe(3);
  // Below the lock.
  await (await touchInput(page)).drag({ x: 180, y: 300 }, 0, 350);
  await expect(clip(page)).toBeVisible();

  await titleNow(page).getByRole('link').tap();
  await expect(clip(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Join now' })).toBeInViewport({ ratio: 1 });
  await screenshot(page, 'clip-360');
  await expectNoAxeFindings(page);
  const { x, y } = (await clip(page).boundingBox()) ?? { x: 0, y: 0 };
  await page.touchscreen.tap(x + 60, y + 40);
  await expect(page.locator('.clip')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /^Join .* to watch$/ })).toBeVisible();
  await page.reload();
  await page.waitForTimeout(1500);
  await expect(page.locator('.clip')).toHaveCount(0);
});

for (const [name, prepare] of [
  [
    'with Save-Data',
    (page: Page) =>
      page.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
      ),
  ],
  ['with reduced motion', (page: Page) => page.emulateMedia({ reducedMotion: 'reduce' })],
] as const)
  test(`no clip is fetched ${name}`, async ({ page }) => {
    const asked = clips(page);
    await prepare(page);
    await page.goto(`${site('ttmbhatv')}/feed`);
    await expect(page.locator('.feed-lock')).toBeVisible();
    await page.waitForTimeout(1500);
    expect(asked).toEqual([]);
  });

/** Two touches of the picture, as fast as a thumb. */
async function tapPicture(page: Page, times: 1 | 2): Promise<void> {
  const { down, up } = await touchInput(page);
  for (let tap = 0; tap < times; tap++) {
    await down({ x: 180, y: 300 });
    await up();
  }
}

test('a tap pauses and plays, two taps like with a heart, and the picture fills the screen', async ({
  page,
}) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const marks = page.waitForResponse(/\/api\/tt\/mine\//);
  await page.goto(`${site('ttmbhatv')}/feed`);
  await marks;
  await plays(page);
  const now = page.locator('.feed li:not([inert])');
  const paused = () => now.locator('video').evaluate((v: HTMLVideoElement) => v.paused);
  // The browser has refused sound: the first tap gives it.
  if (await page.getByRole('button', { name: 'Tap for sound' }).isVisible()) {
    await tapPicture(page, 1);
    await expect(page.getByRole('button', { name: 'Sound', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await page.waitForTimeout(400);
    expect(await paused()).toBe(false);
  }
  await tapPicture(page, 1);
  await expect.poll(paused).toBe(true);
  await tapPicture(page, 1);
  await expect.poll(paused).toBe(false);

  const like = page.getByRole('button', { name: 'Like', exact: true });
  if ((await like.getAttribute('aria-pressed')) === 'true') {
    await like.tap();
    await expect(like).toHaveAttribute('aria-pressed', 'false');
  }
  await page.waitForTimeout(400);
  await tapPicture(page, 2);
  await expect(now.locator('.feed-burst')).toHaveCount(1);
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await page.waitForTimeout(400);
  await tapPicture(page, 2);
  await page.waitForTimeout(400);
  await expect(like, 'a second heart takes nothing back').toHaveAttribute('aria-pressed', 'true');
  expect(await paused()).toBe(false);
  await like.tap();
  await expect(like).toHaveAttribute('aria-pressed', 'false');

  const { width, height } = (await now.locator('.feed-backdrop').boundingBox()) ?? { width: 0, height: 0 };
  expect(width).toBeGreaterThanOrEqual(360);
  expect(height).toBeGreaterThanOrEqual(600);
});

test('the sound stays as it is over films and visits', async ({ page, context }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/feed`);
  await plays(page);
  const sound = page.getByRole('button', { name: 'Sound', exact: true });
  if ((await sound.getAttribute('aria-pressed')) === 'false') await sound.tap();
  await expect(sound).toHaveAttribute('aria-pressed', 'true');
  const muted = (of: Page) =>
    of.locator('.feed li:not([inert]) video').evaluate((v: HTMLVideoElement) => v.muted);
  const first = (await titleNow(page).textContent()) ?? '';
  await swipeUp(page);
  await expect(titleNow(page)).not.toHaveText(first);
  await plays(page);
  expect(await muted(page), 'the next film is as loud').toBe(false);
  await sound.tap();
  await expect(sound).toHaveAttribute('aria-pressed', 'false');
  await swipeUp(page);
  await plays(page);
  expect(await muted(page)).toBe(true);
  const another = await context.newPage();
  await another.goto(`${site('mcfunny')}/feed`);
  await plays(another);
  expect(await muted(another)).toBe(true);
  await expect(another.getByRole('button', { name: 'Tap for sound' })).toHaveCount(0);
});

test('another visit begins with what was not seen', async ({ page, context }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/feed`);
  const first = await titleNow(page).textContent();
  await swipeUp(page);
  await expect(titleNow(page)).not.toHaveText(first ?? '');
  const second = await titleNow(page).textContent();
  await page.reload();
  await expect(titleNow(page), 'the order of a tab stays').toHaveText(second ?? '');
  const another = await context.newPage();
  await another.goto(`${site('mcfunny')}/feed`);
  await expect(titleNow(another)).not.toHaveText(first ?? '');
  await expect(titleNow(another)).not.toHaveText(second ?? '');
  const by = another.locator('.feed li:not([inert]) .feed-by');
  await expect(by.locator('img')).toBeVisible();
  await by.tap();
  await another.waitForURL(/\/allvideos\/\d+\//);
});

test('on a phone the bar leads home, to the feed, to the search and to what is mine', async ({ page }) => {
  for (const label of ['mcfunny', 'ttmbhatv']) {
    await page.goto(`${site(label)}/`);
    const bar = page.getByRole('navigation', { name: 'Quick links' });
    await expect(bar.getByRole('link')).toHaveText(['Home', 'Watch', 'Search', 'Mine']);
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(menu.getByRole('link', { name: 'Watch' }).getByText('Watch')).toBeVisible();
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await bar.getByRole('link', { name: 'Watch' }).tap();
    await page.waitForURL('**/feed');
    await bar.getByRole('link', { name: 'Search' }).tap();
    await page.waitForURL('**/search');
    await bar.getByRole('link', { name: 'Mine' }).tap();
    await page.waitForURL('**/mine');
    await page.goBack();
    await bar.getByRole('link', { name: 'Home' }).tap();
    await page.waitForURL(/result=active/);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('navigation', { name: 'Quick links' })).toBeHidden();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watch' }).click();
  await page.waitForURL('**/feed');
});

test('like and watchlist show at once', async ({ page }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const marks = page.waitForResponse(/\/api\/tt\/mine\//);
  await page.goto(`${site('ttmbhatv')}/feed`);
  await marks;
  for (const name of ['Like', 'Watchlist']) {
    const mark = page.getByRole('button', { name, exact: true });
    const before = (await mark.getAttribute('aria-pressed')) ?? '';
    await mark.tap();
    await expect(mark).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true');
    await mark.tap();
    await expect(mark).toHaveAttribute('aria-pressed', before);
  }
});

test('with reduced motion nothing plays by itself', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/feed`);
  const now = page.locator('.feed li:not([inert]) video');
  await expect.poll(() => now.evaluate((v: HTMLVideoElement) => v.readyState)).toBeGreaterThan(1);
  expect(await now.evaluate((v: HTMLVideoElement) => v.paused)).toBe(true);
  const first = await titleNow(page).textContent();
  await page.keyboard.press('ArrowDown');
  await expect(titleNow(page)).not.toHaveText(first ?? '');
});

test('without scripts a plain link leads there, and on to the videos', async ({ browser }) => {
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 568 } });
  const page = await plain.newPage();
  await page.goto(`${site('mcfunny')}/`);
  await page.getByRole('link', { name: 'Watch one after another' }).click();
  await page.waitForURL('**/feed');
  await expect(page.locator('main')).toContainText('needs scripts');
  await page.getByRole('link', { name: 'Go to the videos' }).click();
  await page.waitForURL(`${site('mcfunny')}/`);
  await plain.close();
});
