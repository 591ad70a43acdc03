/// <reference types="node" />
/** Shared helpers: the `test` fixture with error checks, joining, playing, touch input, layout and accessibility checks. */
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, test as base, expect, type Locator, type Page } from '@playwright/test';
import type { Sentence } from './sentences';

const port = process.env.E2E_PORT ?? '8080';
export const site = (label: string): string => `http://${label}.localhost:${port}`;

/** Chromium's error when the machine's network interfaces change, as when containers start. */
const NETWORK_CHANGED = /ERR_NETWORK_CHANGED/;

/** Waits for hydration: React adds properties to the elements that it controls. */
export const waitForHydration = (page: Page) =>
  page.waitForFunction(() => {
    const root = document.getElementById('root');
    const rendered = root?.firstElementChild;
    return !root || (rendered && Object.keys(rendered).some(key => key.startsWith('__react')));
  });

/** An address without a page: its 404 is logged by the browser as an error. */
const hasNoPage = (url: string): boolean => URL.canParse(url) && new URL(url).pathname.startsWith('/nowhere');

/** Adds the page's console errors, exceptions and failed requests. */
export function collectErrors(page: Page, pageErrors: string[]): void {
  page.on('console', message => {
    const isOfPage = message.text().includes('404') && hasNoPage(message.location().url);
    if (message.type() === 'error' && !NETWORK_CHANGED.test(message.text()) && !isOfPage)
      pageErrors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', error => pageErrors.push(`exception: ${error.message}`));
  page.on('response', response => {
    const isOfPage = response.status() === 404 && hasNoPage(response.url());
    if (response.status() >= 400 && !isOfPage)
      pageErrors.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText ?? '';
    // Navigation and seeking cancel requests on purpose.
    if (reason !== 'net::ERR_ABORTED' && !NETWORK_CHANGED.test(reason))
      pageErrors.push(`${reason} ${request.url()}`);
  });
}

/**
 * `pageErrors` collects console errors, exceptions and failed requests; a test fails if there are any at its end.
 * `goto` and `reload` wait for hydration, unless the test passes `waitUntil`.
 */
export const test = base.extend<{ pageErrors: string[]; upNext: boolean }>({
  // The demo films last six seconds: without this setting a longer test would be taken to the next film.
  upNext: [false, { option: true }],
  page: async ({ page, upNext }, use) => {
    if (!upNext)
      await page.addInitScript(() => {
        // about:blank has no storage.
        if (location.protocol === 'http:') sessionStorage.setItem('spaza.up-next.stayed', 'yes');
      });
    const { goto, reload } = page;
    page.goto = async (address, options) => {
      const reply = await goto.call(page, address, options);
      if (!options?.waitUntil) await waitForHydration(page);
      return reply;
    };
    page.reload = async options => {
      const reply = await reload.call(page, options);
      if (!options?.waitUntil) await waitForHydration(page);
      return reply;
    };
    await use(page);
  },
  pageErrors: [
    async ({ page }, use) => {
      const pageErrors: string[] = [];
      collectErrors(page, pageErrors);
      await use(pageErrors);
      // Also the message, which reports shorten to its first line.
      expect(pageErrors, `the page has errors: ${pageErrors.join('; ')}`).toEqual([]);
    },
    { auto: true },
  ],
});

/** Proves a sentence of the specification. */
export const prove = <T>(sentence: Sentence, proof: () => Promise<T>): Promise<T> =>
  test.step(sentence, proof);

/** Expects that all errors are refused calls with these statuses, which the test caused, and removes them. */
export const expectOnlyRefused = (pageErrors: string[], ...statuses: string[]): void =>
  expect(pageErrors.splice(0).filter(each => !statuses.some(status => each.includes(status)))).toEqual([]);

/** A South African mobile number that no test has used in the last two hours, without a fault in the sandbox. */
export function newNumber(): string {
  // Up to four test files run at a time, in separate processes.
  const now = 4 * Date.now() + (Number(process.env.TEST_PARALLEL_INDEX ?? 0) % 4);
  // 81 to 84 are mobile ranges; the last four digits select the sandbox's behaviour, and 0002 to 0007 are faults.
  const range = 81 + (Math.floor(now / 9_000_000) % 4);
  const middle = String(Math.floor(now / 9000) % 1000).padStart(3, '0');
  return `27${range}${middle}${1000 + (now % 9000)}`;
}

type Join = {
  page: Page;
  label: string;
  form: string;
  home: string;
  /** The sentence that a confirmed join leads to this brand's home. */
  leads: Sentence;
};

/** Joins through the form and the operator's page. Returns the number. */
export async function join({ page, label, form, home, leads }: Join): Promise<string> {
  const number = newNumber();
  await page.goto(`${site(label)}${form}?ext_ref=e2e`);
  await page.locator('input[name="msisdn"]').fill(number);
  await screenshot(page, `${label}-join`);
  await expectNoAxeFindings(page);
  await page.getByRole('button', { name: 'JOIN' }).click();

  await expect(page.getByRole('button', { name: 'Decline' })).toBeVisible();
  // Delays the check until the page shows its text.
  let requested: Record<string, string> = {};
  let pageQuery: Record<string, string> = {};
  await page.route('**/api/subscribe/check-sub**', async route => {
    await expect(page.getByText('redirecting....', { exact: true })).toBeVisible();
    requested = Object.fromEntries(new URL(route.request().url()).searchParams);
    pageQuery = Object.fromEntries(new URL(page.url()).searchParams);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Confirm' }).click();
  await prove(leads, () =>
    page.waitForURL(
      url => url.pathname === home && url.searchParams.get('result')?.toLowerCase() === 'active',
    ),
  );
  await prove(
    '/DoiRedirect reads msisdn and subscription_id and shows "redirecting...." while the subscription is checked',
    async () => {
      expect(pageQuery).toMatchObject({ msisdn: number, subscription_id: expect.stringMatching(/./) });
      expect(requested).toEqual({ msisdn: number, subscription_id: pageQuery.subscription_id });
    },
  );
  expect(new URL(page.url()).hostname).toBe(`${label}.localhost`);
  await expect(page.getByRole('complementary', { name: /^(Join|Confirm it's you)$/ })).toHaveCount(0);
  return number;
}

/** Expects that the video's time advances and its picture changes. */
export async function expectPlaying(page: Page): Promise<void> {
  const video = page.locator('video');
  await expect(video).toBeVisible();
  await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.currentTime)).toBeGreaterThan(0.2);
  const before = await video.evaluate((v: HTMLVideoElement) => v.currentTime);
  const picture = () =>
    video.evaluate((v: HTMLVideoElement) => {
      const canvas = document.createElement('canvas');
      canvas.width = 48;
      canvas.height = 27;
      const context = canvas.getContext('2d');
      context?.drawImage(v, 0, 0, canvas.width, canvas.height);
      return Array.from(context?.getImageData(0, 0, canvas.width, canvas.height).data ?? []).join();
    });
  const first = await picture();
  await expect.poll(picture).not.toBe(first);
  // The clips loop, so the time may restart.
  await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.currentTime)).not.toBe(before);
  const { loop, controls, nodownload } = await video.evaluate((v: HTMLVideoElement) => ({
    loop: v.loop,
    controls: v.controls,
    nodownload: v.getAttribute('controlslist')?.includes('nodownload'),
  }));
  expect({ loop, controls, nodownload }).toEqual({ loop: true, controls: true, nodownload: true });
}

/** The front card: the one that can be swiped. */
/** Opens what is behind the gear below a film's title. */
export const openSettings = async (page: Page): Promise<void> => {
  const gear = page.getByRole('button', { name: 'Video settings' });
  await expect(gear).toHaveAttribute('aria-expanded', 'false');
  await gear.click();
};

export const frontCard = (page: Page) => page.locator('.deck-card[data-depth="0"]');

type Point = { x: number; y: number };

/**
 * Touch input through the browser's gesture recognition (CDP): where a page leaves a direction to the browser, the browser scrolls and the
 * page gets `pointercancel`. Mouse events do not show that.
 */
export async function touchInput(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (at: Point) => send('touchStart', at),
    move: (to: Point) => send('touchMove', to),
    up: () => send('touchEnd'),
    /** Cancels the touch: it becomes neither a tap nor a long press. */
    cancel: () => send('touchCancel'),
    /** Touches, moves in eight steps and releases. */
    /** With `rest` the finger stops before it leaves the screen, so that what it moved has no speed: on a busy machine that would be any. */
    async drag(from: Point, across: number, down = 0, rest = false) {
      await send('touchStart', from);
      for (let step = 1; step <= 8; step++)
        await send('touchMove', { x: from.x + (across * step) / 8, y: from.y + (down * step) / 8 });
      if (rest) {
        await page.waitForTimeout(150);
        await send('touchMove', { x: from.x + across, y: from.y + down });
      }
      await send('touchEnd');
    },
  };
}

/** The centre of an element. */
export async function centerOf(each: Locator): Promise<Point> {
  const box = await each.boundingBox();
  if (!box) throw new Error('Nothing to touch');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Swipes the front card, or another element, by touch. */
export async function swipe(page: Page, direction: 'left' | 'right', card = frontCard(page)): Promise<void> {
  const { drag } = await touchInput(page);
  await drag(await centerOf(card), direction === 'right' ? 144 : -144);
}

/** Records the icons of swipes, which are shown for a second only. */
export async function watchIcons(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const icons: string[] = [];
    const look = (node: Node) => {
      if (!(node instanceof HTMLElement)) return;
      for (const icon of [node, ...node.querySelectorAll<HTMLElement>('.deck-icon')])
        if (icon.matches('.deck-icon') && icon.checkVisibility()) icons.push(icon.dataset.icon ?? '');
    };
    new MutationObserver(records => {
      for (const { addedNodes } of records) for (const node of addedNodes) look(node);
    }).observe(document.body, { childList: true, subtree: true });
    return icons;
  });
  return () => seen.jsonValue();
}

/** Stops the page's clock: afterwards only `page.clock.runFor` advances it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

/** Swipes the first artist. Who can is not shown how. */
export async function swipeFirstArtist(page: Page): Promise<void> {
  await expect(frontCard(page).locator('.artist-card')).toBeVisible();
  await swipe(page, 'left');
  await expect(frontCard(page)).toContainText('#2');
  await expect(page.locator('.deck-icon'), 'the cross stays for a second').toHaveCount(0);
}

/** Takes a screenshot when the visible pictures have loaded. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images]
      .filter(image => {
        const { top, bottom, left, right } = image.getBoundingClientRect();
        return top < window.innerHeight && bottom > 0 && left < window.innerWidth && right > 0;
      })
      .every(image => image.complete && image.naturalWidth > 0),
  );
  await page.screenshot({ path: `test-results/${name}.png` });
}

/** Takes a small screenshot, for review after the run. */
const picture = (page: Page, name: string) =>
  page.screenshot({ path: `test-results/${name}.jpg`, type: 'jpeg', quality: 60, scale: 'css' });

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Waits until nothing fades or moves, but for what takes longer than a second, as a toast's bar. */
const waitForAnimations = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || Number(effect?.getComputedTiming().endTime) > 1000,
      ),
  );

/** Expects no findings of axe that stay: a notice that fades away while axe reads has too little contrast for that moment. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  await expect(async () => {
    // A text that fades has too little contrast for a moment, as the menu's when the window's width changes.
    await waitForAnimations(page);
    // Scrolls to the top: axe counts a button that the sticky header covers partly as too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    // Legacy mode runs in the page itself. The default opens a second page for frames, which these pages do not have.
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode().analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
    // The findings are also the message, which reports shorten to its first line.
    expect(found, `axe finds ${found.join('; ').replaceAll('\n', ' ')}`).toEqual([]);
  }).toPass({ timeout: 120_000 });
}

/** The views of a screen that axe reads: by its name one of them, which a repeated test reads again, and all of them each night. */
export function viewsOf<View>(name: string, views: readonly View[]): readonly View[] {
  if (process.env.ALL) return views;
  const place = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % views.length;
  return views.slice(place, place + 1);
}

/** Checks the page with axe, in one of phone and desktop size or in both, and takes a screenshot. */
export async function checkScreens(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of viewsOf(name, [
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)) {
    await page.setViewportSize(viewport);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(viewport.width);
    await expectNoAxeFindings(page);
    await picture(page, `${name}-${size}`);
  }
  await page.setViewportSize(PHONE);
}

/** Opens the home page of the test number, which opens a session without the network's page. */
export async function openAsTestNumber(
  page: Page,
  label: string,
  home: string,
  service: string,
): Promise<void> {
  const opened = page.waitForResponse('**/api/session/test');
  await page.goto(homeOf(label, home, service));
  expect((await opened).ok()).toBe(true);
}

/** Removes the server-rendered screen and the embedded replies before scripts run, so that the page requests every reply. */
export const removeEmbeddedReplies = (page: Page) =>
  page.addInitScript(() =>
    document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return;
      document.getElementById('replies')?.remove();
      document.getElementById('root')?.replaceChildren();
    }),
  );

/** The home address of the test number. */
export const homeOf = (label: string, home: string, service: string): string =>
  `${site(label)}${home}?service=${encodeURIComponent(service)}&msisdn=27600000000&result=active`;

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

/** Expects no horizontal overflow at 320 to 768 px, also with the text at 200 %. */
async function expectNoOverflow(page: Page): Promise<void> {
  const widest = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const width of [320, 412, 768, PHONE.width]) {
    await page.setViewportSize({ ...PHONE, width });
    await expect.poll(widest, `no wider than ${width} px`).toBeLessThanOrEqual(width);
  }
  const enlarge = (size: string) =>
    page.evaluate(value => {
      document.documentElement.style.fontSize = value;
    }, size);
  await enlarge('200%');
  await expect.poll(widest, 'no wider with the text at 200 %').toBeLessThanOrEqual(PHONE.width);
  await expect.poll(() => clippedText(page), 'no text lost at 200 %').toEqual([]);
  await enlarge('');
}

/** Text that is clipped by a box. Titles with an ellipsis are allowed: their page shows them in full. */
export const clippedText = (page: Page) =>
  page.evaluate(() => {
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const own = text.parentElement;
      if (!text.textContent?.trim() || !own?.checkVisibility({ visibilityProperty: true })) continue;
      if (own.closest('script, style, .visually-hidden, .skip-link, [inert], [aria-hidden=true]')) continue;
      range.selectNodeContents(text);
      const words = range.getBoundingClientRect();
      for (let box: Element | null = own; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(box);
        const scrolls = /auto|scroll/.test(overflowX + overflowY) || box.matches('.swiper');
        if (webkitLineClamp !== 'none' || scrolls) break;
        if (overflowY !== 'hidden') continue;
        const edge = box.getBoundingClientRect();
        // Text for screen readers only.
        if (edge.width <= 1) break;
        if (words.top < edge.top - 2 || words.bottom > edge.bottom + 2 || words.right > edge.right + 2)
          cut.push(`${own.className || own.tagName}: ${text.textContent.trim().slice(0, 40)}`);
      }
    }
    return cut;
  });

/** Expects that tap targets are at least 44 px wide and high; links within a sentence are exempt, as in WCAG. */
async function expectTapTargets(page: Page): Promise<void> {
  const small = () =>
    page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          'a[href], button, select, input:not([type=checkbox]), label[for=agree]',
        ),
      ]
        .filter(
          each =>
            each.checkVisibility({ visibilityProperty: true }) &&
            !each.closest('[inert], [aria-hidden=true]'),
        )
        .filter(each => !each.matches('.skip-link, .legal section a, .leave-note a'))
        .map(each => ({ each, box: each.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 43.5 || box.height < 43.5)
        .map(({ each, box }) => `${each.textContent || each.ariaLabel}: ${box.width} x ${box.height}`),
    );
  await expect.poll(small, 'targets of 44 px').toEqual([]);
}

export type Row = {
  /** An address of the route table, with parameters. */
  address: string;
  /** The sentences that this address proves by what it shows. */
  proves?: Sentence[];
  /** Text of the loaded page. */
  shows: string | RegExp;
  /** Name of its screenshots. */
  name: string;
};

/** Opens every address of a brand and checks overflow, tap targets and axe findings. */
export async function checkPages(page: Page, label: string, rows: Row[]): Promise<void> {
  for (const { address, shows, name, proves = [] } of rows) {
    await test.step(address, async () => {
      await page.goto(site(label) + address);
      const shown = () => expect(page.getByRole('main')).toContainText(shows);
      await shown();
      for (const sentence of proves) await prove(sentence, shown);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoOverflow(page);
      await expectTapTargets(page);
      await checkScreens(page, `${label}-${name}`);
    });
  }
}

/** Expects a first visit at 360 px without video data and with at most 400 KB. */
export async function expectSmallFirstVisit(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: 2, isMobile: true });
  const page = await context.newPage();
  const fetched: { url: string; bytes: Promise<number> }[] = [];
  page.on('requestfinished', request => {
    const bytes = request
      .sizes()
      .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize);
    fetched.push({ url: request.url(), bytes });
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  const sizes = await Promise.all(fetched.map(({ bytes }) => bytes));
  expect(fetched.filter(({ url }) => url.includes('/media/'))).toEqual([]);
  console.info(
    address,
    sizes.reduce((sum, bytes) => sum + bytes, 0),
  );
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(400_000);
  await context.close();
}

/** Expects that `click` opens the operator's opt-in page in a new tab, and that this page stays. */
export async function expectOptInOpens(page: Page, click: () => Promise<void>): Promise<void> {
  const here = page.url();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click()]);
  // Through our own link, which keeps the consent and lets the return open the session.
  await tab.waitForURL(/\/opt-in\/[\w-]+$/);
  await expect(tab.getByLabel('Your mobile number')).toBeVisible();
  await tab.close();
  expect(page.url()).toBe(here);
}

/** Expects that a visitor without a session gets a join link at the address, and that no media is requested. */
export async function expectNoAccess(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const media: string[] = [];
  page.on('request', request => request.url().includes('/media/') && media.push(request.url()));
  const { origin, pathname } = new URL(address);
  await page.goto(origin + pathname);
  await expect(page.getByRole('link', { name: 'Join now' })).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  expect(media).toEqual([]);
  await context.close();
}
