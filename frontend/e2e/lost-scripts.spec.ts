/// <reference types="node" />
/**
 * Scripting is on, and one script does not arrive: join, watch and leave by what is visible, whether the page is plain or scripted. No case may
 * end in a charge without access, or on a page from which one cannot leave. without-scripts.spec.ts has the cases of all scripts together.
 */
import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, expect, type Locator, type Page, type Route, test } from '@playwright/test';
import { newNumber, site } from './visit';

const SCRIPTS = readdirSync(new URL('../dist/assets', import.meta.url)).filter(name => name.endsWith('.js'));

const BRAND = { label: 'mcfunny', form: '/login', home: '/redirect', list: '/allvideos/1/MC%20Funny/1' };

/** What happens to a request for a script. */
type Loss = (file: string, route: Route) => Promise<void>;
const refuse =
  (lost: (file: string) => boolean): Loss =>
  (file, route) =>
    lost(file) ? route.abort('connectionreset') : route.continue();
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

/** A person's way. Returns the scripts that the pages requested. What fails after `confirm` has been charged. */
async function walk(browser: Browser, number: string, loss: Loss): Promise<string[]> {
  const { label, form, home, list } = BRAND;
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
      return loss(file, route);
    });
    await page.goto(`${site(label)}${form}?ext_ref=lost`);
    await visible(page, 'input[name=msisdn]').fill(number);
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

/** Walks side by side, each with a number of its own, and names all that fail. */
async function walkAll(browser: Browser, rows: [name: string, loss: Loss][]): Promise<void> {
  const waiting: (() => Promise<unknown>)[] = [];
  const failed: string[] = [];
  for (const [name, loss] of rows) {
    const number = newNumber();
    waiting.push(() => walk(browser, number, loss).catch(error => failed.push(`${name}: ${error.message}`)));
    // Numbers are made of the time.
    await wait(2);
  }
  const walkOn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all([walkOn(), walkOn(), walkOn(), walkOn()]);
  expect(failed, failed.join('\n')).toEqual([]);
}

test.setTimeout(900_000);

test('mcfunny: join, watch and leave without each script in turn', async ({ browser }) => {
  const requested = await walk(
    browser,
    newNumber(),
    refuse(() => false),
  );
  expect(SCRIPTS).toEqual(expect.arrayContaining(requested));
  await walkAll(
    browser,
    requested.map(lost => [`without ${lost}`, refuse(file => file === lost)]),
  );
});
