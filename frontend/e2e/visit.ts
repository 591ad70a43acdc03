/// <reference types="node" />
/** What every brand's test does: join as a new subscriber, watch, and notice anything that goes wrong on the way. */
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, test as base, expect, type Locator, type Page } from '@playwright/test';
import type { Sentence } from './sentences';

const port = process.env.E2E_PORT ?? '8080';
export const site = (label: string): string => `http://${label}.localhost:${port}`;

/** The machine got another network interface, as when containers start beside the tests: not the site's doing. */
const MACHINE = /ERR_NETWORK_CHANGED/;

/** The page's own scripts are at work: React has put its mark on what it rules. Before that a click goes where the server's markup says. */
export const takenOver = (page: Page) =>
  page.waitForFunction(() => {
    const root = document.getElementById('root');
    const drawn = root?.firstElementChild;
    return !root || (drawn && Object.keys(drawn).some(key => key.startsWith('__react')));
  });

/** An address that no page has: its document is answered with 404, of which the browser writes an error. */
const hasNoPage = (url: string): boolean => URL.canParse(url) && new URL(url).pathname.startsWith('/nowhere');

/**
 * `mishaps` collects console errors and failed requests of the pages' own origins; a healthy visit has none.
 * A page that a test goes to has been taken over, unless the test says by `waitUntil` what it wants to wait for instead.
 */
export const test = base.extend<{ mishaps: string[]; upNext: boolean }>({
  // The demo's films last six seconds: a test that looks at one for longer would be led to the next one.
  upNext: [false, { option: true }],
  page: async ({ page, upNext }, use) => {
    if (!upNext)
      await page.addInitScript(() => {
        // A blank page has no storage.
        if (location.protocol === 'http:') sessionStorage.setItem('spaza.up-next.stayed', 'yes');
      });
    const { goto, reload } = page;
    page.goto = async (address, options) => {
      const reply = await goto.call(page, address, options);
      if (!options?.waitUntil) await takenOver(page);
      return reply;
    };
    page.reload = async options => {
      const reply = await reload.call(page, options);
      if (!options?.waitUntil) await takenOver(page);
      return reply;
    };
    await use(page);
  },
  mishaps: [
    async ({ page }, use) => {
      const mishaps: string[] = [];
      page.on('console', message => {
        const isOfPage = message.text().includes('404') && hasNoPage(message.location().url);
        if (message.type() === 'error' && !MACHINE.test(message.text()) && !isOfPage)
          mishaps.push(`console: ${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', error => mishaps.push(`exception: ${error.message}`));
      page.on('response', response => {
        const isOfPage = response.status() === 404 && hasNoPage(response.url());
        if (response.status() >= 400 && !isOfPage)
          mishaps.push(`${response.status()} ${response.request().method()} ${response.url()}`);
      });
      page.on('requestfailed', request => {
        const reason = request.failure()?.errorText ?? '';
        // Leaving a page, and a video that looks for its place, both cancel requests on purpose.
        if (reason !== 'net::ERR_ABORTED' && !MACHINE.test(reason))
          mishaps.push(`${reason} ${request.url()}`);
      });
      await use(mishaps);
      expect(mishaps).toEqual([]);
    },
    { auto: true },
  ],
});

/** What proves a sentence of the specification. */
export const holds = <T>(sentence: Sentence, proof: () => Promise<T>): Promise<T> =>
  test.step(sentence, proof);

/** Refused calls that a test brings about itself: the browser notes each by itself, and nothing else went wrong. */
export const onlyRefused = (mishaps: string[], ...statuses: string[]): void =>
  expect(mishaps.splice(0).filter(each => !statuses.some(status => each.includes(status)))).toEqual([]);

/** A South African mobile number that nobody has used in the last hours and that the sandbox treats kindly. */
export function freshNumber(): string {
  // Two files of tests run at a time, each in a process of its own.
  const now = 2 * Date.now() + (Number(process.env.TEST_PARALLEL_INDEX ?? 0) % 2);
  // 81 to 84 are mobile ranges; the last four digits steer the sandbox, and 0002 to 0007 mean trouble.
  const range = 81 + (Math.floor(now / 9_000_000) % 4);
  const middle = String(Math.floor(now / 9000) % 1000).padStart(3, '0');
  return `27${range}${middle}${1000 + (now % 9000)}`;
}

type Join = {
  page: Page;
  label: string;
  form: string;
  home: string;
  /** That a confirmed try leads to this brand's home. */
  leads: Sentence;
};

/** From the form over the operator's page to the brand's home. Answers the number that joined. */
export async function join({ page, label, form, home, leads }: Join): Promise<string> {
  const number = freshNumber();
  await page.goto(`${site(label)}${form}?ext_ref=e2e`);
  await page.locator('input[name="msisdn"]').fill(number);
  await shot(page, `${label}-join`);
  await accessible(page);
  await page.getByRole('button', { name: 'JOIN' }).click();

  await expect(page.getByRole('button', { name: 'Decline' })).toBeVisible();
  // The check is held back until the page has said what it is doing: on this machine it would be over before anyone could read it.
  let asked: Record<string, string> = {};
  let brought: Record<string, string> = {};
  await page.route('**/api/subscribe/check-sub**', async route => {
    await expect(page.getByText('redirecting....', { exact: true })).toBeVisible();
    asked = Object.fromEntries(new URL(route.request().url()).searchParams);
    brought = Object.fromEntries(new URL(page.url()).searchParams);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Confirm' }).click();
  await holds(leads, () =>
    page.waitForURL(
      url => url.pathname === home && url.searchParams.get('result')?.toLowerCase() === 'active',
    ),
  );
  await holds(
    '/DoiRedirect reads msisdn and subscription_id and shows "redirecting...." while the subscription is checked',
    async () => {
      expect(brought).toMatchObject({ msisdn: number, subscription_id: expect.stringMatching(/./) });
      expect(asked).toEqual({ msisdn: number, subscription_id: brought.subscription_id });
    },
  );
  expect(new URL(page.url()).hostname).toBe(`${label}.localhost`);
  await expect(page.getByRole('complementary', { name: /^(Join|Confirm it's you)$/ })).toHaveCount(0);
  return number;
}

/** The clock must advance and the picture must change: a player that only claims to play does neither. */
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
  // The clips loop, so the clock may start over.
  await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.currentTime)).not.toBe(before);
  const { loop, controls, nodownload } = await video.evaluate((v: HTMLVideoElement) => ({
    loop: v.loop,
    controls: v.controls,
    nodownload: v.getAttribute('controlslist')?.includes('nodownload'),
  }));
  expect({ loop, controls, nodownload }).toEqual({ loop: true, controls: true, nodownload: true });
}

/** The card in front: the one that can be swiped. */
export const frontCard = (page: Page) => page.locator('.deck-card[data-depth="0"]');

type Point = { x: number; y: number };

/**
 * A finger. The touches go through the browser's own recognition of gestures, as those of a phone do: where a page leaves a direction to the
 * browser, the browser scrolls and the page gets `pointercancel`. A mouse would never show that.
 */
export async function finger(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (at: Point) => send('touchStart', at),
    move: (to: Point) => send('touchMove', to),
    up: () => send('touchEnd'),
    /** Neither a tap nor a long press comes of it. */
    cancel: () => send('touchCancel'),
    /** Puts the finger down, moves it in eight steps, and lifts it. */
    async drag(from: Point, across: number, down = 0) {
      await send('touchStart', from);
      for (let step = 1; step <= 8; step++)
        await send('touchMove', { x: from.x + (across * step) / 8, y: from.y + (down * step) / 8 });
      await send('touchEnd');
    },
  };
}

/** The middle of what is on the screen. */
export async function middleOf(each: Locator): Promise<Point> {
  const box = await each.boundingBox();
  if (!box) throw new Error('Nothing to touch');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A finger that swipes the card in front, or whatever else is swiped. */
export async function swipe(page: Page, direction: 'left' | 'right', card = frontCard(page)): Promise<void> {
  const { drag } = await finger(page);
  await drag(await middleOf(card), direction === 'right' ? 144 : -144);
}

/** Remembers every icon that a swipe shows: each is there for a second only, which is too short to be looked for afterwards. */
export async function watchIcons(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const icons: string[] = [];
    const look = (node: Node) => {
      if (!(node instanceof HTMLElement)) return;
      // A swiped card brings its icon along.
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

/** Stops the page's clock: from here on only `page.clock.runFor` moves it, so that a second can be told from 999 ms. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

/** From the first artist over the how-to card to the second artist. */
export async function pastHowTo(page: Page): Promise<void> {
  await expect(frontCard(page).locator('.artist-card')).toBeVisible();
  await swipe(page, 'left');
  await expect(frontCard(page)).toContainText('Swipe right if you like what you see.');
  await swipe(page, 'left');
  await expect(frontCard(page).locator('.artist-card')).toBeVisible();
  await expect(page.locator('.deck-icon'), 'the crosses of the swipes stay for a second').toHaveCount(0);
}

/** What a visitor sees once the pictures on the screen are there; `screenshots/` holds some of them for the README. */
export async function shot(page: Page, name: string): Promise<void> {
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

/** A small picture of every address, to be looked at after the run. */
const picture = (page: Page, name: string) =>
  page.screenshot({ path: `test-results/${name}.jpg`, type: 'jpeg', quality: 60, scale: 'css' });

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No barrier by axe's rules, in this brand's own colours. */
export async function accessible(page: Page): Promise<void> {
  // Half below the header that stays, a button would count as too small.
  await page.evaluate(() => window.scrollTo(0, 0));
  // Legacy means: in this page itself. Otherwise each look opens a second page, for frames that no page of ours has.
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`)).toEqual([]);
}

/** Axe's look at what is on the screen now, on a phone and on a desktop, and a picture of each. */
export async function lookedAt(page: Page, name: string): Promise<void> {
  await accessible(page);
  await picture(page, `${name}-phone`);
  await page.setViewportSize(DESKTOP);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(DESKTOP.width);
  await accessible(page);
  await picture(page, `${name}-desktop`);
  await page.setViewportSize(PHONE);
}

/** A subscriber without the network's page: the test number's home opens the session. */
export async function arrive(page: Page, label: string, home: string, service: string): Promise<void> {
  const opened = page.waitForResponse('**/api/session/test');
  await page.goto(homeOf(label, home, service));
  expect((await opened).ok()).toBe(true);
}

/** A page then draws itself and asks for every reply, so that a test can answer: before its scripts run, what the server wrote is gone. */
export const withoutReplies = (page: Page) =>
  page.addInitScript(() =>
    document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return;
      document.getElementById('replies')?.remove();
      document.getElementById('root')?.replaceChildren();
    }),
  );

/** The home of an active subscriber, by the test number. */
export const homeOf = (label: string, home: string, service: string): string =>
  `${site(label)}${home}?service=${encodeURIComponent(service)}&msisdn=27600000000&result=active`;

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

/** Nothing is wider than the screen, from the narrowest phone to a tablet, nor with the text twice as large. */
async function fits(page: Page): Promise<void> {
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
  await expect.poll(() => cutOff(page), 'no text lost at 200 %').toEqual([]);
  await enlarge('');
}

/** Text that sticks out of a box that hides what sticks out; titles that end in an ellipsis are told in full where they lead. */
const cutOff = (page: Page) =>
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
        // Text that is there for those who hear it only.
        if (edge.width <= 1) break;
        if (words.top < edge.top - 2 || words.bottom > edge.bottom + 2 || words.right > edge.right + 2)
          cut.push(`${own.className || own.tagName}: ${text.textContent.trim().slice(0, 40)}`);
      }
    }
    return cut;
  });

/** Whatever can be tapped is at least 44 px wide and high; links inside a sentence are exempt, as in WCAG. */
async function tappable(page: Page): Promise<void> {
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
  /** As the route table has it, filled in. */
  address: string;
  /** The sentences that this address proves by what it shows. */
  proves?: Sentence[];
  /** What tells that the page is there. */
  shows: string | RegExp;
  /** Name of its pictures. */
  name: string;
};

/** Opens every address of a brand and looks at it like a visitor with small, enlarged and wide screens would. */
export async function everyAddress(page: Page, label: string, rows: Row[]): Promise<void> {
  for (const { address, shows, name, proves = [] } of rows) {
    await test.step(address, async () => {
      await page.goto(site(label) + address);
      const shown = () => expect(page.getByRole('main')).toContainText(shows);
      await shown();
      for (const sentence of proves) await holds(sentence, shown);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await fits(page);
      await tappable(page);
      await lookedAt(page, `${label}-${name}`);
    });
  }
}

/** A first visit at 360 px: not a byte of video, and no more than 400 KB in all. */
export async function isLight(browser: Browser, address: string): Promise<void> {
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

/** The operator's opt-in page opens in a new tab, and this one stays where it is. */
export async function opensOptIn(page: Page, click: () => Promise<void>): Promise<void> {
  const here = page.url();
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click()]);
  await tab.waitForURL(/\/opt-in\?svc_id=\d+/);
  await tab.close();
  expect(page.url()).toBe(here);
}

/** A stranger opens the same address and gets the way in, but not one request for media. */
export async function expectGate(browser: Browser, address: string): Promise<void> {
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
