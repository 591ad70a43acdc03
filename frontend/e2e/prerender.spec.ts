/**
 * Documents that the browser prerenders by the gateway's speculation rules. Playwright disables prerendering: its tests see the attempts, and
 * Puppeteer, which does not, opens a prerendered page.
 */
import { expect, type Page } from '@playwright/test';
import puppeteer from 'puppeteer-core';
import { centerOf, openAsTestNumber, site, test, touchInput } from './visit';

const HOME = `${site('ttmbhatv')}/`;

/** What the browser would prerender (the attempts' addresses), what it did with the touched link, and how many rule sets it has. */
async function watchPreloading(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const seen = { candidates: [] as string[], attempted: [] as string[], ruleSets: 0 };
  devtools.on('Preload.ruleSetUpdated', ({ ruleSet }) => {
    expect(ruleSet.errorType).toBeUndefined();
    seen.ruleSets += 1;
  });
  devtools.on('Preload.preloadingAttemptSourcesUpdated', ({ preloadingAttemptSources }) => {
    seen.candidates = preloadingAttemptSources.map(({ key }) => new URL(key.url).pathname);
  });
  devtools.on('Preload.prerenderStatusUpdated', ({ key }) => seen.attempted.push(new URL(key.url).pathname));
  await devtools.send('Preload.enable');
  return seen;
}

/** Blocks the application's scripts until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>(done => {
    release = done;
  });
  await page.route(/\/assets\/[\w-]+\.[0-9a-f]+\.js$/, async route => {
    await held;
    await route.continue();
  });
  return release;
}

test('a touched link is prerendered before hydration; afterwards the router loads pages', async ({
  page,
}) => {
  const release = await holdScripts(page);
  const seen = await watchPreloading(page);
  await page.goto(HOME, { waitUntil: 'commit' });
  const card = page.locator('main .video-card').first();
  await expect(card).toBeVisible();
  const path = await card.getAttribute('href');
  await expect.poll(() => seen.candidates).toContain(path);
  // Nothing with an effect, no join form, no page of a visitor's own.
  for (const candidate of seen.candidates)
    expect(candidate).toMatch(/^\/(ttsingle\/\d+|ttcategory\/\d+|ttbhaTerms$)/);
  expect(seen.attempted).toEqual([]);
  const { down, cancel } = await touchInput(page);
  await down(await centerOf(card));
  await expect.poll(() => seen.attempted).toContain(path);
  await cancel();
  release();
  await expect(page.locator('html')).toHaveAttribute('data-hydrated');
  await expect.poll(() => seen.candidates).toEqual([]);
});

test('there are no rules where data is saved', async ({ page }) => {
  const seen = await watchPreloading(page);
  await page.goto(HOME);
  await expect.poll(() => seen.ruleSets).toBe(1);
  await page.setExtraHTTPHeaders({ 'save-data': 'on' });
  const saving = await watchPreloading(page);
  saving.ruleSets = 0;
  const answer = await page.goto(`${HOME}ttbhaTerms`);
  expect(answer?.headers()['speculation-rules']).toBeUndefined();
  await page.waitForLoadState('networkidle');
  expect(saving.ruleSets).toBe(0);
});

test('a prerendered page requests, counts and plays nothing until it is opened', async ({ page }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  const path = await page.locator('main .video-card').first().getAttribute('href');
  // Leaves the home page, which may still request something.
  await page.goto('about:blank');
  const requested: string[] = [];
  page.on('request', request => {
    const { pathname } = new URL(request.url());
    if (/^\/(api|media)\//.test(pathname)) requested.push(pathname);
  });
  await page.addInitScript(() => {
    let prerendering = true;
    Object.defineProperty(document, 'prerendering', { get: () => prerendering });
    Object.assign(window, {
      open_prerendered: () => {
        prerendering = false;
        document.dispatchEvent(new Event('prerenderingchange'));
      },
    });
  });
  await page.goto(site('ttmbhatv') + path, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForTimeout(1000);
  expect(requested).toEqual([]);
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrated');
  await page.evaluate(() => (window as unknown as { open_prerendered: () => void }).open_prerendered());
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.2);
  expect(requested.filter(each => each === '/api/subscribe/me')).toHaveLength(1);
});

test('a tapped link opens the page that was prerendered', async ({
  launchOptions: { executablePath = '', args = [] },
}) => {
  const browser = await puppeteer.launch({ executablePath, args });
  try {
    const [page = await browser.newPage()] = await browser.pages();
    // Scripts wait for the tap, so that the browser follows the link. A session of the test's own would disable prerendering.
    const held: (() => void)[] = [];
    let isTapped = false;
    await page.setRequestInterception(true);
    page.on('request', request => {
      const pass = () => request.continue().catch(() => undefined);
      if (isTapped || request.resourceType() !== 'script') pass();
      else held.push(pass);
    });
    page.goto(HOME).catch(() => undefined);
    const card = await page.waitForSelector('main .video-card', { visible: true });
    const path = await card?.evaluate(link => link.getAttribute('href'));
    await card?.hover();
    await page.mouse.down();
    // As long as a tap: it begins the prerendering, which may end after it.
    await new Promise(done => setTimeout(done, 300));
    await page.mouse.up();
    isTapped = true;
    for (const pass of held) pass();
    // The prerendered page takes the other's place. A connection of its own sees it as it is then: the first one may wait for a script
    // context that the page opened before.
    const opened = async () => {
      const second = await puppeteer.connect({ browserWSEndpoint: browser.wsEndpoint() });
      try {
        return await (await second.pages()).at(-1)?.evaluate(() => {
          const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
            activationStart: number;
          })[];
          return {
            path: location.pathname,
            prerendered: (navigation?.activationStart ?? 0) > 0,
            alive: document.documentElement.hasAttribute('data-hydrated'),
          };
        });
      } catch (error) {
        return String(error);
      } finally {
        await second.disconnect();
      }
    };
    await expect.poll(opened).toEqual({ path, prerendered: true, alive: true });
  } finally {
    await browser.close();
  }
});
