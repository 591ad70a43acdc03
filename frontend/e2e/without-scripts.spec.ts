/**
 * A whole subscription on every label where no script runs: join, lists, videos, likes, confirming a number, leave. Scripting is off; or it is on,
 * and every script is refused, or cannot be read.
 */
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { expectOnlyRefused, homeOf, newNumber, site, test } from './visit';

type Brand = {
  label: string;
  form: string;
  home: string;
  service: string;
  /** What can be liked on the brand. */
  likes?: 'memes' | 'videos';
};

const BRANDS: Brand[] = [
  { label: 'mcfunny', form: '/login', home: '/redirect', service: 'MC Funny' },
  { label: 'madfunny', form: '/login', home: '/redirect', service: 'MC Funny' },
  { label: 'diski99', form: '/diskilogin', home: '/doRedirect', service: 'diski99' },
  { label: 'memeworld', form: '/memelogin', home: '/redirectTo', service: 'memeworld', likes: 'memes' },
  { label: 'ttmbhatv', form: '/ttlogin', home: '/ttredirect', service: 'ttmbhatv', likes: 'videos' },
  { label: 'racedaytv', form: '/racedaylogin', home: '/ttredirect', service: 'raceday', likes: 'videos' },
];

type Mode = 'off' | 'refused' | 'unreadable';
const MODES: Mode[] = ['off', 'refused', 'unreadable'];

/** Lets no script of a browser run. */
async function stopScripts(context: BrowserContext, mode: Mode): Promise<void> {
  if (mode === 'off') return;
  await context.route('**/assets/*.js', route =>
    mode === 'refused'
      ? route.abort()
      : route.fulfill({ contentType: 'text/javascript', body: 'let = a script that cannot be read;' }),
  );
}

/** Another phone. */
async function anotherPhone(browser: Browser, mode: Mode): Promise<BrowserContext> {
  const context = await browser.newContext({
    javaScriptEnabled: mode !== 'off',
    viewport: { width: 360, height: 740 },
  });
  await stopScripts(context, mode);
  return context;
}

// The gateway sends preload headers for scripts, which a browser without scripts does not fetch; others log that each script fails.
test.afterEach(({ pageErrors }) => {
  const isOfScripts = /^csp .*\/assets\/|ERR_FAILED|SyntaxError|Unexpected/;
  pageErrors.push(...pageErrors.splice(0).filter(each => !isOfScripts.test(each)));
});

const mcfunny = BRANDS[0] as Brand;

/** Opens an address without waiting for hydration. */
const go = (page: Page, address: string) => page.goto(address, { waitUntil: 'load' });

/** Expects no controls that need scripts, no horizontal overflow, and loaded pictures. */
async function expectNoScriptLayout(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('main').first()).toBeVisible();
  await expect(page.locator('.skeleton:visible')).toHaveCount(0);
  await expect(page.getByText('JavaScript')).toHaveCount(0);
  await expect(page.getByText('Loading', { exact: false }).locator('visible=true')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.screenshot({ path: `test-results/without-scripts-${name}.png`, fullPage: true });
}

/** Joins up to the network's page, and taps `answer` there. */
async function joinUpTo(page: Page, { label, form }: Brand, number: string, answer: 'Confirm' | 'Decline') {
  await go(page, `${site(label)}${form}?ext_ref=plain`);
  await page.locator('input[name=msisdn]').fill(number);
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.getByRole('button', { name: answer }).click();
}

/** Opens the first list of the home page, and its first item. */
async function openFirst(page: Page, { label, likes }: Brand): Promise<void> {
  const lists = likes === 'videos' ? page.locator('.carousel-head h2 a') : page.locator('.plain-artists a');
  await lists.first().click();
  await page.waitForURL(/\/(allvideos|artistvideos|ttcategory)\//);
  await expectNoScriptLayout(page, `${label}-list`);
  await page.locator('.video-card').first().click();
  await page.waitForURL(/\/(video|diskisingle|ttsingle)\//);
  await expectNoScriptLayout(page, `${label}-single`);
}

/** The status of a request for a video's first bytes. */
const statusOf = (page: Page, source: string): Promise<number> =>
  page.evaluate(
    async address => (await fetch(address, { headers: { range: 'bytes=0-99' }, cache: 'no-store' })).status,
    source,
  );

/** The title of something that a brand has. */
const titleOf = (page: Page, { service, likes }: Brand): Promise<string> =>
  page.evaluate(
    async ([service = '', likes]) => {
      const read = async (path: string) => (await fetch(path)).json();
      if (likes === 'memes') return (await read('/api/meme/getMemeValue/1')).memeData[0].title;
      if (likes === 'videos') return (await read(`/api/tt/getcatvideos/${service}`))[0].videos[0].name;
      const prefix = service === 'diski99' ? 'diski' : 'madfunny';
      const [{ id }] = await read(`/api/${prefix}/fetchArtist?service=${encodeURIComponent(service)}`);
      return (await read(`/api/${prefix}/fetchVideos/${id}`))[0].video_name;
    },
    [service, likes],
  );

for (const mode of MODES) {
  test.describe(`scripts ${mode}`, () => {
    test.use({ javaScriptEnabled: mode !== 'off' });
    test.beforeEach(({ context }) => stopScripts(context, mode));
    for (const brand of BRANDS) joinWatchLikeAndLeave(brand, mode);
    confirmOnAnotherPhone(mode);
  });
}

function joinWatchLikeAndLeave(brand: Brand, mode: Mode) {
  const { label, home, service, likes } = brand;
  test(`${label}: join, watch, like and leave`, async ({ page, browser, pageErrors }) => {
    const number = newNumber();
    await joinUpTo(page, brand, number, 'Confirm');
    await page.waitForURL(url => url.pathname === home && url.searchParams.get('result') === 'active');
    expect(new URL(page.url()).searchParams.get('service')).toBe(service);
    expect(new URL(page.url()).searchParams.get('msisdn')).toBe(number);
    await expectNoScriptLayout(page, `${label}-home`);

    let source = '';
    if (likes === 'memes') {
      await page.locator('main .plain-links summary').click();
      await page.locator('main .plain-links a').first().click();
      await page.waitForURL(/\/memeCategory\/1\//);
      await expectNoScriptLayout(page, `${label}-list`);
    } else {
      await openFirst(page, brand);
      const video = page.locator('video');
      await expect(video).toBeVisible();
      for (const attribute of ['controls', 'loop']) await expect(video).toHaveAttribute(attribute, '');
      source = (await video.getAttribute('src')) ?? '';
      expect(source).toMatch(/^\/media\/.*\.mp4$/);
      expect([200, 206]).toContain(await statusOf(page, source));
      const stranger = await anotherPhone(browser, mode);
      const other = await stranger.newPage();
      await go(other, page.url());
      await expect(other.locator('video')).toHaveCount(0);
      await expect(other.getByRole('link', { name: 'Join now' })).toBeVisible();
      await expectNoScriptLayout(other, `${label}-gate`);
      expect([401, 403]).toContain(await statusOf(other, source));
      await stranger.close();
    }

    if (likes) {
      const like = () => page.getByRole('button', { name: /^Like/ }).locator('visible=true').first();
      const address = new URL(page.url()).pathname;
      for (const pressed of ['true', 'false', 'true']) {
        await like().click();
        await page.waitForURL(url => url.pathname === address && url.hash !== '');
        await expect(like()).toHaveAttribute('aria-pressed', pressed);
      }
      await expectNoScriptLayout(page, `${label}-liked`);
    }
    if (likes === 'videos') {
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      const watchlist = () => page.getByRole('button', { name: 'Watchlist' }).locator('visible=true');
      await watchlist().click();
      await expect(watchlist()).toHaveAttribute('aria-pressed', 'true');
      await page.locator('.plain-links summary').click();
      await expect(page.locator('.plain-links').getByRole('link', { name: title ?? '' })).toBeVisible();
      await watchlist().click();
      await expect(watchlist()).toHaveAttribute('aria-pressed', 'false');
      await expect(page.locator('.plain-links')).toHaveCount(0);
    }

    await page.getByRole('link', { name: 'Want to unsubscribe' }).click();
    await expect(page.locator('.facts')).toContainText('active');
    await expect(page.locator('.facts')).toContainText('R3 per day');
    await expect(page.locator('.codes')).toContainText('Vodacom');
    await expectNoScriptLayout(page, `${label}-subscription`);
    await page.getByRole('button', { name: 'Unsubscribe now' }).click();
    await expect(page.getByRole('status')).toContainText('You have left');
    await expectNoScriptLayout(page, `${label}-left`);
    if (source) expect([401, 403]).toContain(await statusOf(page, source));
    await go(page, `${site(label)}/subscription`);
    await expect(page.getByLabel('Number to unsubscribe')).toBeVisible();
    expectOnlyRefused(pageErrors, 'csp', '401', '403', 'ERR_FAILED', 'SyntaxError', 'Unexpected');
  });
}

function confirmOnAnotherPhone(mode: Mode) {
  test('an active number is confirmed on another phone, and leaves by number', async ({ page, browser }) => {
    const number = newNumber();
    await joinUpTo(page, mcfunny, number, 'Confirm');
    await page.waitForURL(/\/redirect\?/);
    const context = await anotherPhone(browser, mode);
    const other = await context.newPage();
    await go(other, `${site('mcfunny')}/login`);
    await other.locator('input[name=msisdn]').fill(number);
    await other.getByRole('button', { name: 'JOIN' }).click();
    await other.waitForURL(/\/redirect\?.*result=active/);
    const bar = other.getByRole('complementary', { name: "Confirm it's you" });
    await expectNoScriptLayout(other, 'verify');
    await bar.getByRole('textbox').fill(number);
    await bar.getByRole('button', { name: "Confirm it's you" }).click();
    await other.getByRole('button', { name: 'Confirm' }).click();
    await other.waitForURL(/\/redirect\?.*result=active/);
    await expect(bar).toHaveCount(0);
    await context.close();

    const third = await anotherPhone(browser, mode);
    const stranger = await third.newPage();
    await go(stranger, `${site('mcfunny')}/subscription`);
    await expectNoScriptLayout(stranger, 'by-number');
    await stranger.getByLabel('Number to unsubscribe').fill('12');
    await stranger.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(stranger.getByRole('alert')).toContainText(/\w/);
    await expect(stranger.getByLabel('Number to unsubscribe')).toHaveValue('12');
    await expectNoScriptLayout(stranger, 'by-number-again');
    await stranger.getByLabel('Number to unsubscribe').fill(number);
    await stranger.getByRole('button', { name: 'Unsubscribe' }).click();
    await stranger.getByRole('button', { name: 'Confirm' }).click();
    await stranger.waitForURL(`${site('mcfunny')}/`);
    await expect(stranger.getByRole('status')).toHaveText('You have left MC Funny. Nothing more is charged.');
    await third.close();
    await go(page, `${site('mcfunny')}/subscription`);
    await expect(page.getByLabel('Number to unsubscribe')).toBeVisible();
  });
}

test.describe('scripting off', () => {
  test.use({ javaScriptEnabled: false });

  for (const brand of BRANDS)
    test(`${brand.label}: search by a form, with results from the server`, async ({ page }) => {
      await go(page, `${site(brand.label)}/terms`);
      const title = await titleOf(page, brand);
      await go(page, `${site(brand.label)}/`);
      await page.getByRole('link', { name: 'Search' }).click();
      await page.waitForURL('**/search');
      await page.getByRole('searchbox').fill(`  ${title.toLowerCase()} `);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL(url => url.searchParams.get('q')?.trim() === title.toLowerCase());
      await expect(page.getByRole('searchbox')).toHaveValue(new RegExp(title, 'i'));
      await expect(page.locator('.search-count')).toHaveText(/found$/);
      const found = page.locator(brand.likes === 'memes' ? '.meme-card' : '.video-card');
      await expect(found.filter({ hasText: title }).first()).toBeVisible();
      await expectNoScriptLayout(page, `${brand.label}-search`);
      await page.getByRole('searchbox').fill('xqzxqzxqz');
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page.getByText('Nothing found. Try another word.')).toBeVisible();
      await expect(found).toHaveCount(0);
    });

  test('ttmbhatv: search results continue on further pages', async ({ page }) => {
    await go(page, `${site('ttmbhatv')}/search?q=the`);
    const names = () => page.locator('.video-card-title').allTextContents();
    const seen = await names();
    expect(seen).toHaveLength(12);
    await page.getByRole('link', { name: 'Show more' }).click();
    await page.waitForURL('**/search?q=the&after=12');
    const next = await names();
    expect(next.length).toBeGreaterThan(0);
    expect(next.filter(name => seen.includes(name))).toEqual([]);
    await expectNoScriptLayout(page, 'ttmbhatv-search-more');
  });

  test('a declined join is reported on the front page', async ({ page }) => {
    await joinUpTo(page, mcfunny, '0811230002', 'Decline');
    await page.waitForURL(`${site('mcfunny')}/`);
    await expect(page.getByRole('status')).toHaveText(
      'You have not joined MC Funny: your network has not confirmed it. Nothing is charged.',
    );
    await expectNoScriptLayout(page, 'declined');
  });

  test('an inactive number cannot be confirmed and is offered to join', async ({ page, pageErrors }) => {
    await go(page, homeOf('mcfunny', '/redirect', 'MC Funny').replace('27600000000', '27811231234'));
    await page.locator('.confirm input').fill(newNumber());
    await page.locator('.confirm button').click();
    await expect(page.getByRole('alert')).toContainText(/\w/);
    await expect(page.getByRole('button', { name: 'JOIN' })).toBeVisible();
    expectOnlyRefused(pageErrors, 'csp', '409');
  });

  test('a like without a session leads to the join form', async ({ page }) => {
    await go(page, `${site('memeworld')}/`);
    await expectNoScriptLayout(page, 'memeworld-anonymous');
    await page.getByRole('button', { name: /^Like/ }).first().click();
    await page.waitForURL(`${site('memeworld')}/memelogin`);
  });

  test('a list can be followed to its end', async ({ page }) => {
    await go(page, `${site('ttmbhatv')}/`);
    const needed: string[] = await page.evaluate(async () =>
      (await (await fetch('/api/tt/getCategory/ttmbhatv')).json()).map(
        ({ category_name }: { category_name: string }) => category_name,
      ),
    );
    const heads = page.locator('.carousel-head h2');
    const more = page.getByRole('link', { name: 'Show more', exact: true });
    const seen = await heads.allTextContents();
    expect(seen.length).toBeLessThan(needed.length);
    while ((await more.count()) > 0) {
      const before = page.url();
      await more.click();
      await page.waitForURL(url => url.href !== before);
      seen.push(...(await heads.allTextContents()));
      await expectNoScriptLayout(page, `ttmbhatv-more-${seen.length}`);
    }
    expect(seen).toEqual(needed);
  });

  test('another brand’s home redirects to this brand’s home', async ({ page }) => {
    await go(page, `${site('mcfunny')}/redirectTo?service=memeworld&msisdn=&result=active`);
    await page.waitForURL(`${site('mcfunny')}/`);
    await expect(page.locator('.plain-artists a').first()).toBeVisible();
  });

  for (const address of ['/nowhere', '/allvideos/99999/MC%20Funny/1'])
    test(`${address} leads home`, async ({ page, pageErrors }) => {
      await go(page, `${site('mcfunny')}${address}`);
      await expect(page.getByRole('link', { name: 'Go to the home page' })).toBeVisible();
      pageErrors.splice(0);
    });
});
