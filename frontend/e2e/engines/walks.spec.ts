/// <reference types="node" />
/** A subscription from the join form to leaving, in each engine, by what is visible. Playwright only runs the tests. */
import { expect, test } from '@playwright/test';
import { browsersOf } from '../../scripts/floor.js';
import { startLine } from '../line';
import {
  DECRYPTED,
  FORGET_PLACE,
  HAS_ENDED,
  leaveOnAnotherPhone,
  PLAY_FAST,
  RECORD_DECRYPTED,
  RECORDS,
} from '../saved';
import { newNumber, site } from '../visit';
import { type Driver, type Point, startFirefox, startOldChromium, startWebKit } from './drivers';

const ENGINES: Record<string, () => Promise<Driver>> = {
  'Chromium of the floor': startOldChromium,
  'Firefox ESR': startFirefox,
  WebKitGTK: startWebKit,
};

/** As long as other expectations wait (playwright.engines.config.ts). */
const PATIENCE_MS = 180_000;

type Brand = { label: string; form: string; home: string; kind: 'comedy' | 'memes' | 'videos' };
const BRANDS: Brand[] = [
  { label: 'mcfunny', form: '/login', home: '/redirect', kind: 'comedy' },
  { label: 'memeworld', form: '/memelogin', home: '/redirectTo', kind: 'memes' },
  { label: 'ttmbhatv', form: '/ttlogin', home: '/ttredirect', kind: 'videos' },
];

/** The first element of a selector with these words that has a size, as an expression. */
const named = (selector: string, words = '') => `(function () {
  var all = document.querySelectorAll(${JSON.stringify(selector)});
  for (var i = 0; i < all.length; i++) {
    var says = [all[i].innerText, all[i].value, all[i].getAttribute('aria-label')].join(' ');
    if (new RegExp(${JSON.stringify(words)}, 'i').test(says) && all[i].getBoundingClientRect().width) return all[i];
  }
})()`;

/** What a person does and sees in an engine. */
function personIn(driver: Driver) {
  const { evaluate } = driver;
  /** While a page gives way to the next one, nothing can be asked. */
  const now = <T>(expression: string, instead: T) => evaluate<T>(expression).catch(() => instead);
  const text = () => now('document.body.innerText', '');
  const address = () => now('location.pathname + location.search', '');
  /** The middle of an element that nothing covers. */
  const find = (selector: string, words?: string) =>
    evaluate<Point | null>(`(function (each) {
      if (!each) return null;
      var before = each.getBoundingClientRect();
      if (before.top < 80 || before.bottom > innerHeight - 80) each.scrollIntoView({ block: 'center' });
      var box = each.getBoundingClientRect();
      var at = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      var top = document.elementFromPoint(at.x, at.y);
      return top && each.contains(top) ? at : null;
    })(${named(selector, words)})`);
  /** Waits until the element is there and rests. */
  const rests = async (selector: string, words?: string): Promise<Point> => {
    let at: Point | null = null;
    await expect(async () => {
      const before = at;
      at = await find(selector, words);
      expect(at, `${words ?? ''} ${selector}`).not.toBeNull();
      expect(at).toEqual(before);
    }).toPass({ timeout: PATIENCE_MS, intervals: [150] });
    return at as unknown as Point;
  };
  const tap = async (selector: string, words?: string) => driver.tap(await rests(selector, words));
  const isTrue = (expression: string) => now(`!!(${expression})`, false);
  /** Acts until an expression is true: again, as a person does, if nothing has come of it. */
  const actUntil = (expression: string, act: () => Promise<unknown>) =>
    expect(async () => {
      if (!(await isTrue(expression))) await act();
      await expect.poll(() => isTrue(expression), { message: expression, timeout: 30_000 }).toBe(true);
    }).toPass({ timeout: PATIENCE_MS });
  return {
    actUntil,
    address,
    evaluate,
    rests,
    open: (to: string) => driver.open(to),
    /** From beside the middle of the element to the other side of it. */
    swipe: async (selector: string, across: number) => {
      const { x, y } = await rests(selector);
      await driver.swipe({ x: x - across / 2, y }, across);
    },
    arrowRight: driver.arrowRight,
    /** Types into a field, which has the focus some time after a tap. */
    type: async (selector: string, text: string) => {
      const focused = `document.activeElement && document.activeElement.matches(${JSON.stringify(selector)})`;
      await actUntil(focused, () => tap(selector));
      await driver.type(text);
    },
    tap,
    sees: (words: RegExp) => expect.poll(text).toMatch(words),
    isAt: (path: RegExp) => expect.poll(address).toMatch(path),
    /** Taps what leads to an address. */
    goes: (path: RegExp, selector: string, words?: string) =>
      actUntil(`${path}.test(location.pathname + location.search)`, () => tap(selector, words)),
    /** Waits until an expression is true. */
    until: (expression: string) => expect.poll(() => isTrue(expression), expression).toBe(true),
  };
}
type Person = ReturnType<typeof personIn>;

const FRONT = '.deck-card[data-depth="0"]';
const LABEL_OF_FRONT = `(document.querySelector('${FRONT}') || document.body).getAttribute('aria-label')`;

/** Waits until a film plays. */
async function watch(person: Person): Promise<void> {
  await person.until("document.querySelector('video')");
  await person.until(
    "document.querySelector('video').currentTime > 0.3 && !document.querySelector('video').error",
  );
}

/** The button says the same after the page has been loaded again: the service has stored it. */
async function like(person: Person, selector: string): Promise<void> {
  const state = `(${named(selector, 'Like')} || document.body).getAttribute('aria-pressed')`;
  const address = await person.evaluate<string>('location.href');
  await person.until(`${state} === 'false'`);
  await person.actUntil(`${state} === 'true'`, async () => {
    // A tap beside it has led elsewhere.
    if ((await person.evaluate<string>('location.href')) !== address) await person.open(address);
    await person.tap(selector, 'Like');
  });
  // The page shows the change before it is saved.
  await person.until(
    "performance.getEntriesByType('resource').some(function (each) { return /(postlike|likevideo)$/.test(each.name) })",
  );
  await person.open(address);
  await person.until(`${state} === 'true'`);
}

const WALKS: Record<Brand['kind'], (person: Person) => Promise<string>> = {
  comedy: async person => {
    for (const _ of ['an artist', 'the card that explains']) {
      await person.rests(FRONT);
      const label = await person.evaluate<string>(LABEL_OF_FRONT);
      await person.actUntil(`${LABEL_OF_FRONT} !== ${JSON.stringify(label)}`, () =>
        person.swipe(FRONT, -150),
      );
    }
    await person.actUntil('/^\\/allvideos\\/\\d+\\//.test(location.pathname)', () =>
      person.swipe(FRONT, 150),
    );
    await person.goes(/^\/video\/\d+\//, '.video-card');
    await watch(person);
    return person.evaluate<string>("document.querySelector('h1').innerText");
  },
  memes: async person => {
    const category = 'a[href^="/memeCategory/"]';
    await person.actUntil(named(category), () => person.tap('button, summary', 'Browse Category'));
    await person.goes(/^\/memeCategory\//, category);
    await like(person, '.meme-card .like');
    const title = await person.evaluate<string>("document.querySelector('.meme-card img').alt");
    await person.goes(/meme=\d+/, '.meme-card img');
    const first = await person.address();
    await person.swipe('.viewer-strip', -280);
    // The strip is scrolled by the engine itself, which not every driver makes it do.
    await expect
      .poll(person.address, { timeout: 5000 })
      .not.toBe(first)
      .catch(() => person.arrowRight());
    await expect.poll(person.address).not.toBe(first);
    return title;
  },
  videos: async person => {
    // Swiper takes over once the row is in view and the engine is idle.
    const row = "document.querySelector('.carousel-row .swiper-initialized').swiper";
    await person.until("document.querySelector('.carousel-row .swiper-initialized')");
    const before = await person.evaluate<number>(`${row}.realIndex`);
    await person.actUntil(`${row}.realIndex !== ${before}`, () =>
      person.swipe('.carousel-row .swiper-slide-active', -150),
    );
    await person.goes(/^\/ttsingle\/\d+\//, '.carousel-row .swiper-slide-active .video-card');
    await watch(person);
    await like(person, 'main button[aria-pressed]');
    return person.evaluate<string>("document.querySelector('h1').innerText");
  },
};

test('the old Chromium is that of the floor', async () => {
  const driver = await startOldChromium();
  const [, floor] = /^chrome (\d+)$/m.exec(browsersOf('sites').join('\n')) ?? [];
  await driver.close();
  expect(driver.version).toMatch(new RegExp(`Chrome/${floor}\\.`));
});

/** Lets so many hours pass for the key of saved films, and waits until it is so. */
async function pass(person: Person, hours: number): Promise<void> {
  await person.evaluate(`(function () {
    window.passed = false;
    indexedDB.open('spaza-saved').onsuccess = function (opened) {
      var db = opened.target.result;
      var keys = db.transaction('keys', 'readwrite').objectStore('keys');
      keys.openCursor().onsuccess = function (event) {
        var cursor = event.target.result;
        if (!cursor) { db.close(); window.passed = true; return; }
        var key = cursor.value;
        key.until -= ${hours * 3_600_000};
        key.latest -= ${hours * 3_600_000};
        cursor.update(key).onsuccess = function () { cursor.continue(); };
      };
    };
  })()`);
  await person.until('window.passed');
}

/** A film is saved on a line that breaks three times, plays to its end for 48 hours without a line, not afterwards, and is gone after a leave. */
async function saves(person: Person, number: string): Promise<void> {
  const line = await startLine(3);
  const host = `http://mcfunny.localhost:${line.port}`;
  await person.open(`${host}/redirect`);
  await person.until('navigator.serviceWorker && navigator.serviceWorker.controller');
  await person.open(`${host}/allvideos/1/MC%20Funny/1`);
  await person.goes(/^\/video\/\d+\//, '.video-card', 'The Last Two Minutes');
  // One that does not play yet would not stay paused.
  await watch(person);
  await person.evaluate("void document.querySelector('video').pause()");
  await person.actUntil("document.querySelector('.save-panel select')", () =>
    person.tap('button', 'Save to watch without data'),
  );
  await person.actUntil("document.querySelector('.save-any input:checked')", () =>
    person.tap('.save-any', 'without Wi-Fi'),
  );
  await line.arm();
  await person.tap('.save-panel .button', '^Save');
  await person.sees(/Saved, \d/);
  expect(line.resumed(), 'segments that went on at their byte').toBe(3);
  await person.open(`${host}/redirect`);
  await person.rests('section[aria-label="Saved"] a');
  // The service worker has what the page consists of.
  await person.until(`(Promise.all([caches.match('/shell'), caches.open('files-4').then(function (files) { return files.keys(); })])
    .then(function (kept) {
      var files = kept[1].map(function (each) { return new URL(each.url).pathname; });
      window.kept = kept[0] && performance.getEntriesByType('resource').every(function (each) {
        var path = new URL(each.name).pathname;
        return path.indexOf('/assets/') !== 0 || files.indexOf(path) >= 0;
      });
    }), window.kept)`);
  line.cut();
  const openAfter = async (hours: number) => {
    // Firefox's driver calls a page of the service worker a failure.
    await person.evaluate(`void (location.href = ${JSON.stringify(`${host}/redirect?hours=${hours}`)})`);
    await person.until(`/hours=${hours}/.test(location.search)`);
    await person.rests('section[aria-label="Saved"] a');
    // A film that plays stores the time, too.
    await pass(person, hours);
    await person.evaluate(`void ${FORGET_PLACE}`);
    await person.evaluate(RECORD_DECRYPTED);
    await person.goes(/^\/video\/\d+\//, 'section[aria-label="Saved"] a');
  };
  await openAfter(47);
  await watch(person);
  await person.evaluate(PLAY_FAST);
  await person.until(HAS_ENDED);
  await person.until(`${RECORDS} === '1 1 ' + ${DECRYPTED}`);
  await openAfter(2);
  await person.sees(/Saved films play for 48 hours/);

  await leaveOnAnotherPhone(number);
  await line.mend();
  const contact = Date.now();
  await person.until(`${RECORDS} === '0 0 0'`);
  expect(Date.now() - contact, 'ms from contact until the film is gone').toBeLessThan(60_000);
  await person.until("document.querySelector('.player-gate')");
  line.cut();
}

/** A person's walk in an engine of its own. A failure has the place where the person was. */
const walk = (name: string, start: () => Promise<Driver>, steps: (person: Person) => Promise<void>) =>
  test(name, async ({ browserName: _ }, info) => {
    const driver = await start();
    try {
      info.annotations.push({ type: 'engine', description: driver.version });
      await steps(personIn(driver));
    } catch (error) {
      const picture = await driver.screenshot().catch(() => undefined);
      if (picture) await info.attach('screen', { body: picture, contentType: 'image/png' });
      const here = await driver
        .evaluate<string>('location.href + "\\n" + document.body.innerText')
        .catch(String);
      throw new Error(`${driver.version} at ${here.slice(0, 800)}`, { cause: error });
    } finally {
      await driver.close();
    }
  });

async function join(person: Person, form: string): Promise<string> {
  const number = newNumber();
  await person.open(form);
  await person.type('input[name=msisdn]', number);
  await person.tap('button', '^JOIN');
  await person.goes(/result=active/i, 'button', 'Confirm');
  return number;
}

for (const [engine, start] of Object.entries(ENGINES))
  test.describe(engine, () => {
    walk(`${engine}: save a film, watch it without a line, and leave`, start, async person => {
      const number = await join(person, `${site('mcfunny')}/login`);
      await saves(person, number);
    });
    for (const { label, form, home, kind } of BRANDS)
      walk(`${engine}, ${label}: join, watch, like, search, swipe, leave`, start, async person => {
        await test.step('join', async () => {
          await join(person, `${site(label)}${form}?ext_ref=engines`);
          await person.isAt(new RegExp(`^${home}\\?`, 'i'));
        });
        const title = await test.step(kind, () => WALKS[kind](person));
        await test.step('search', async () => {
          await person.open(`${site(label)}/search`);
          await person.type('input[type=search]', title);
          await person.sees(/\d+ found/);
          await person.tap('main a, main button', title.replace(/\W/g, '.').slice(0, 12));
        });
        await test.step('leave', async () => {
          await person.open(`${site(label)}/terms`);
          await person.goes(/^\/subscription/, 'a', 'Want to unsubscribe');
          await person.actUntil('/You have left/.test(document.body.innerText)', () =>
            person.tap('button', 'Unsubscribe now'),
          );
          await person.open(`${site(label)}/subscription`);
          await person.rests('input');
        });
      });
  });
