/// <reference types="node" />
/**
 * Scripting is on, and one script does not arrive: join, watch and leave by what is visible, whether the page is plain or scripted. No case may
 * end in a charge without access, or on a page from which one cannot leave. without-scripts.spec.ts has the cases of all scripts together.
 */
import { readdirSync } from 'node:fs';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { newNumber, site } from './visit';

const SCRIPTS = readdirSync(new URL('../dist/assets', import.meta.url)).filter(name => name.endsWith('.js'));

type Brand = {
  label: string;
  form: string;
  home: string;
  /** A list of films, or of memes. */
  list: string;
};
const BRANDS: Brand[] = [
  { label: 'mcfunny', form: '/login', home: '/redirect', list: '/allvideos/1/MC%20Funny/1' },
  { label: 'diski99', form: '/diskilogin', home: '/doRedirect', list: '/artistvideos/1/diski99/1' },
  { label: 'ttmbhatv', form: '/ttlogin', home: '/ttredirect', list: '/ttcategory/1/ttmbhatv' },
  { label: 'memeworld', form: '/memelogin', home: '/redirectTo', list: '/memeCategory/1/1/memeworld' },
];

/** Numbers are made of the time, which several walks may begin at. */
const used = new Set<string>();
function uniqueNumber(): string {
  let number = newNumber();
  while (used.has(number)) number = newNumber();
  used.add(number);
  return number;
}

const visible = (page: Page, selector: string): Locator =>
  page.locator(selector).locator('visible=true').first();
const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name }).locator('visible=true').first();

/** Taps as a person does: again, if nothing has come of it after some seconds. */
async function tapUntil(control: Locator, done: () => Promise<void>): Promise<void> {
  for (let taps = 1; ; taps++)
    try {
      await control.tap({ timeout: 10_000 });
      return await done();
    } catch (error) {
      // It may have led on by now, slowly.
      const isDone = await done().then(
        () => true,
        () => false,
      );
      if (isDone) return;
      if (taps === 4) throw error;
    }
}

const isAt = (page: Page, test: (url: URL) => boolean) => () =>
  page.waitForURL(test, { timeout: 8000, waitUntil: 'load' });

/** Opens a film and watches it. */
async function watch(page: Page): Promise<void> {
  await tapUntil(
    visible(page, '.video-card'),
    isAt(page, ({ pathname }) => /\/(video|diskisingle|ttsingle)\//.test(pathname)),
  );
  const video = visible(page, 'video');
  await expect(video).toBeVisible();
  await expect
    .poll(() =>
      // Its own button is the browser's and cannot be tapped here.
      video.evaluate(async (film: HTMLVideoElement) => {
        film.muted = true;
        await film.play().catch(() => undefined);
        return film.currentTime;
      }),
    )
    .toBeGreaterThan(0.2);
}

/** Likes a meme: the service has stored it. */
async function like(page: Page): Promise<void> {
  const liked = () => page.evaluate(async () => (await (await fetch('/api/meme/mine')).json()).liked.length);
  await tapUntil(button(page, /^Like/), () => expect.poll(liked, { timeout: 8000 }).toBe(1));
}

/** A person's way. Returns the scripts that the pages requested. What fails after `confirm` has been charged. */
async function walk(browser: Browser, { label, form, home, list }: Brand, lost?: string): Promise<string[]> {
  const requested = new Set<string>();
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-ZA',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  let step = 'join';
  try {
    await page.route(/\/assets\/[^/]+\.js$/, route => {
      const file = new URL(route.request().url()).pathname.split('/').pop() ?? '';
      requested.add(file);
      return file === lost ? route.abort('connectionreset') : route.continue();
    });
    await page.goto(`${site(label)}${form}?ext_ref=lost`);
    await visible(page, 'input[name=msisdn]').fill(uniqueNumber());
    await tapUntil(button(page, 'JOIN'), () =>
      expect(button(page, 'Decline')).toBeVisible({ timeout: 8000 }),
    );
    step = 'confirm';
    await button(page, 'Confirm').tap();
    await page.waitForURL(({ pathname, search }) => pathname === home && /result=active/i.test(search), {
      timeout: 40_000,
    });
    step = 'watch';
    // The home may just be giving way to its plain page.
    await expect(() => page.goto(`${site(label)}${list}`)).toPass({ timeout: 30_000 });
    await (label === 'memeworld' ? like : watch)(page);
    step = 'leave';
    await tapUntil(
      visible(page, 'a[href="/subscription"]'),
      isAt(page, ({ pathname }) => pathname === '/subscription'),
    );
    await tapUntil(button(page, 'Unsubscribe now'), () =>
      expect(page.getByText('You have left').locator('visible=true').first()).toBeVisible({ timeout: 8000 }),
    );
    return [...requested];
  } catch (error) {
    // biome-ignore lint/performance/useDomNodeTextContent: what is visible counts
    const shows = await page.evaluate(() => document.body.innerText).catch(String);
    throw new Error(
      `${step}, at ${page.url()}, which shows "${shows.replace(/\s+/g, ' ').slice(0, 160)}": ${String(error).slice(0, 200)}`,
    );
  } finally {
    await context.close();
  }
}

/** Results of tasks, four of which run at a time. */
async function inFourLanes<T>(tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const rest = tasks.entries();
  const lane = async () => {
    for (const [index, task] of rest) results[index] = await task();
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return results;
}

test.setTimeout(900_000);

test('join, watch or like, and leave without each script in turn', async ({ browser }) => {
  const requested = await inFourLanes(BRANDS.map(brand => () => walk(browser, brand)));
  expect(SCRIPTS).toEqual(expect.arrayContaining(requested.flat()));
  // A script of several brands is lost on the first of them.
  const brandOf = new Map(
    requested.flatMap((files, brand) => files.map(file => [file, brand] as const)).reverse(),
  );
  const walks = [...brandOf].map(([lost, index]) => async () => {
    const brand = BRANDS[index] as Brand;
    const name = `${brand.label} without ${lost}`;
    return walk(browser, brand, lost).then(
      () => [],
      error => [`${name}: ${error.message}`],
    );
  });
  const failed = (await inFourLanes(walks)).flat();
  expect(failed, failed.join('\n')).toEqual([]);
});
