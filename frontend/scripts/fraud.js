/**
 * The corpus of `make fraud`: scripted joins, which must be held, and persons' walks, which must not. Each goes to a running family at FRAUD_PORT as a
 * stranger does: over HTTP, or in Chromium. A join that is not held reaches the network's page (result 1), where money begins.
 */
import { Agent, request } from 'node:http';
import { chromium } from '@playwright/test';

const PORT = Number(process.env.FRAUD_PORT);
const ROUNDS = Number(process.env.FRAUD_ROUNDS ?? 20);
const ONLY = process.env.FRAUD_ONLY ?? '';
/** Browser pages at a time. */
const PAGES = Number(process.env.FRAUD_PAGES ?? 3);

const MEME = 150;
const MCFUNNY = 148;
const TT = 152;
/** A network that recognises a phone's SIM, and how its own site puts a number's SIM into a browser. */
const SIM_NETWORK = 'protea';
const SIM_RANGE = '27721';
/** An address of the network whose header names the subscriber by a token. */
const HEADER_ADDRESS = '10.73.0.9';
const HOST = `memeworld.localhost:${PORT}`;
const SITE = `http://${HOST}`;
const FORM = `${SITE}/memelogin`;
const OPERATOR = `:${PORT + 10}/`;

/** What the check of a kind must say: `held` of each scripted join, `passed` of each person. */
const HELD = 'held';
const PASSED = 'passed';
/** Held at first, and through after the typed code. */
const WITH_CODE = 'passed with the code';
/** A walk or a join that ended by an error. */
const FAILED = 'failed';

const agent = new Agent({ keepAlive: true });

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
const between = (least, most) => least + Math.random() * (most - least);

let numbers = 0;
/** A number that no other join of the run has, without a fault in the sandbox. */
function newNumber() {
  numbers += 1;
  return `2782${String(Math.floor(numbers / 9000)).padStart(3, '0')}${1000 + (numbers % 9000)}`;
}

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** A publisher for few joins: one with many held joins is held altogether, which would hide the rules. */
const publisher = (kind, round) => `${kind.replace(/\W+/g, '-')}-${Math.floor(round / 20)}`;

/** A browser that keeps cookies; nothing is joined without. */
const withCookies = { cookie: 'cookies=1' };

/** A request over HTTP, from an address of its own. Not by fetch, which resolves no *.localhost on some machines. */
function post(path, body, headers = {}, method = 'POST') {
  const isForm = typeof body === 'string';
  const options = {
    host: '127.0.0.1',
    port: PORT,
    path,
    method,
    agent,
    headers: {
      host: HOST,
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'x-forwarded-for': newAddress(),
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, async response => {
      const chunks = await response.setEncoding('utf8').toArray();
      resolve({ status: response.statusCode, text: chunks.join(''), location: response.headers.location });
    });
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : isForm ? body : JSON.stringify(body));
  });
}

const challenge = async (svc_id = MEME) =>
  JSON.parse((await post('/api/subscribe/challenge', { svc_id })).text).challenge;

const outcomeOf = result => ({ 1: PASSED, 4: HELD })[result] ?? 'no reply';

/** A join over HTTP; its reply. */
async function join(kind, round, check) {
  const body = { msisdn: newNumber(), ext_ref: publisher(kind, round), channel: 'WAP', svc_id: MEME };
  const headers = check ? { 'x-join-check': JSON.stringify(check) } : {};
  const { status, text } = await post('/api/subscribe', body, headers);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}

/** Opens the link by which a network recognises the SIM, as a program on a phone does; it must not lead to the network. */
async function simLink(kind, round, check) {
  const query = new URLSearchParams({ network: SIM_NETWORK, ext_ref: publisher(kind, round) });
  if (check) query.set('check', JSON.stringify(check));
  const { status, location = '' } = await post(`/api/subscribe/verify-number?${query}`, '', {}, 'GET');
  if (status !== 302) throw new Error(`${status} instead of a redirect`);
  if (location.includes('/authorize')) return PASSED;
  if (!location.includes('sim=held')) throw new Error(`the link leads to ${location}`);
  return HELD;
}

/** A join whose subscriber the network names in its header. */
async function headerJoin(kind, round, check) {
  const body = { msisdn: '', ext_ref: publisher(kind, round), channel: 'WAP', svc_id: TT };
  const headers = {
    host: `ttmbhatv.localhost:${PORT}`,
    'x-forwarded-for': HEADER_ADDRESS,
    'x-msisdn': `9f2c41d0${newNumber()}`,
    ...(check && { 'x-join-check': JSON.stringify(check) }),
  };
  const { status, text } = await post('/api/subscribe', body, headers);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return outcomeOf(JSON.parse(text).result);
}

/** Signals as the page of a person with a finger sends them, each a little different. */
const forgedSignals = () => ({
  trusted: true,
  ms: between(2500, 20_000),
  press_ms: between(50, 140),
  pointer: 'touch',
  moves: Math.round(between(0, 3)),
  typed: true,
  visible: true,
  focused: true,
  covered: false,
  automated: false,
});

// == Over HTTP

const stale = [];
let recorded;

/** Kinds of scripted joins over HTTP: each returns its outcome. */
const overHttp = {
  'POST without a challenge': async (kind, round) => outcomeOf((await join(kind, round)).result),
  'POST with forged signals and no challenge': async (kind, round) =>
    outcomeOf((await join(kind, round, { challenge: '', signals: forgedSignals() })).result),
  'challenge without signals': async (kind, round) => {
    const check = { challenge: await challenge() };
    await pause(400);
    return outcomeOf((await join(kind, round, check)).result);
  },
  'challenge and forged signals at once': async (kind, round) =>
    outcomeOf((await join(kind, round, { challenge: await challenge(), signals: forgedSignals() })).result),
  'challenge of another brand': async (kind, round) => {
    const check = { challenge: await challenge(MCFUNNY), signals: forgedSignals() };
    await pause(400);
    return outcomeOf((await join(kind, round, check)).result);
  },
  'challenge with another signature': async (kind, round) => {
    const check = {
      challenge: (await challenge()).replace(/.$/, last => (last === '0' ? '1' : '0')),
      signals: forgedSignals(),
    };
    await pause(400);
    return outcomeOf((await join(kind, round, check)).result);
  },
  'stale challenge': async (kind, round) =>
    outcomeOf(
      (await join(kind, round, { challenge: stale[round % stale.length], signals: forgedSignals() })).result,
    ),
  'replayed join of a person, other numbers': async (kind, round) =>
    outcomeOf((await join(kind, round, recorded)).result),
  'recorded press of a person, fresh challenges': async (kind, round) => {
    const check = { challenge: await challenge(), signals: recorded.signals };
    await pause(400);
    return outcomeOf((await join(kind, round, check)).result);
  },
  'held join sent again with its challenge': async (kind, round) => {
    const { challenge: another } = await join(kind, round);
    await pause(3200);
    return outcomeOf((await join(kind, round, { challenge: another })).result);
  },
  'held join sent again, number as the code': async (kind, round) => {
    const { challenge: another } = await join(kind, round);
    await pause(3200);
    return outcomeOf((await join(kind, round, { challenge: another, code: newNumber() })).result);
  },
  'POST with the header of the network': (kind, round) => headerJoin(kind, round),
  'POST with the header of the network, forged signals': (kind, round) =>
    headerJoin(kind, round, { challenge: '', signals: forgedSignals() }),
  'link of the SIM without a tap': (kind, round) => simLink(kind, round),
  'link of the SIM, challenge without signals': async (kind, round) => {
    const check = { challenge: await challenge() };
    await pause(400);
    return simLink(kind, round, check);
  },
  'link of the SIM, recorded tap': (kind, round) => simLink(kind, round, recorded),
  'form without scripts': async (kind, round) => {
    const body = new URLSearchParams({ msisdn: newNumber(), ext_ref: publisher(kind, round), agree: '1' });
    return (await post('/join', String(body), withCookies)).status === 303 ? PASSED : HELD;
  },
  'form filler: every field, twice': async (kind, round) => {
    const fields = { msisdn: newNumber(), ext_ref: publisher(kind, round), agree: '1' };
    const { text } = await post('/join', String(new URLSearchParams(fields)), withCookies);
    const [, another] = text.match(/name="challenge" value="([^"]+)"/) ?? [];
    if (!another) throw new Error('the held form has no challenge');
    await pause(3200);
    const filled = { ...fields, challenge: another, code: fields.msisdn, homepage: fields.msisdn };
    return (await post('/join', String(new URLSearchParams(filled)), withCookies)).status === 303
      ? PASSED
      : HELD;
  },
};

// == In Chromium

/** A visitor's page at the join form. */
async function open(browser, kind, round, { isMobile = true, scripts = true, slow = false, prepare } = {}) {
  const context = await browser.newContext({
    viewport: isMobile ? { width: 360, height: 740 } : { width: 1280, height: 800 },
    isMobile,
    hasTouch: isMobile,
    locale: 'en-ZA',
    javaScriptEnabled: scripts,
    serviceWorkers: 'block',
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  });
  const page = await context.newPage();
  if (prepare) await page.addInitScript(prepare);
  const cdp = await context.newCDPSession(page);
  if (slow) {
    const network = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await cdp.send('Network.emulateNetworkConditions', network);
  }
  await page.goto(`${FORM}?ext_ref=${publisher(kind, round)}`, { timeout: 120_000 });
  if (scripts) await hydrated(page);
  return { context, page, cdp };
}

const hydrated = page =>
  page.waitForFunction(
    () => {
      const rendered = document.getElementById('root')?.firstElementChild;
      return rendered && Object.keys(rendered).some(key => key.startsWith('__react'));
    },
    undefined,
    { timeout: 120_000 },
  );

/** How long a join may take on a busy machine. */
const PATIENCE = { timeout: 60_000 };
const never = () => new Promise(() => undefined);

/** What the next join of a page leads to: the network's page, or another challenge with a code. */
async function nextReply(page) {
  const before = await page.evaluate(() => document.querySelector('input[name=challenge]')?.value);
  const isHeld = known => {
    const challenge = document.querySelector('input[name=challenge]')?.value;
    return challenge !== undefined && challenge !== known;
  };
  const outcomes = [
    page.waitForURL(url => url.href.includes(OPERATOR), { ...PATIENCE, waitUntil: 'commit' }).then(() => 1),
    page.waitForFunction(isHeld, before, PATIENCE).then(() => 4),
  ];
  const late = pause(PATIENCE.timeout).then(() => undefined);
  return { result: await Promise.race([...outcomes.map(outcome => outcome.catch(never)), late]) };
}

const button = page => page.locator('form.join button[type=submit]').first();

async function middleOf(locator) {
  await locator.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width * between(0.3, 0.7), y: y + height * between(0.3, 0.7) };
}

/** A finger's tap: real touch events of the browser. */
async function tap(cdp, locator, ms = between(45, 160)) {
  const point = await middleOf(locator);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await pause(ms);
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** A tap whose finger is down for no time, as of programs that control phones. */
async function tapWithoutDuration(cdp, locator) {
  const point = await middleOf(locator);
  const timestamp = Date.now() / 1000;
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point], timestamp });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
}

/** Types a number as a person does on glass. */
async function type(page, cdp, number) {
  const field = page.locator('input[name=msisdn]');
  await pause(between(500, 1200));
  await tap(cdp, field);
  await page.keyboard.type(number, { delay: between(40, 130) });
}

async function finger(browser, kind, round, options) {
  const { context, page, cdp } = await open(browser, kind, round, options);
  await type(page, cdp, newNumber());
  const reply = nextReply(page);
  await tap(cdp, button(page));
  const { result } = await reply;
  await context.close();
  return outcomeOf(result);
}

/** Walks of persons. */
const persons = {
  'finger types': finger,
  'finger types, on slow 3G': (browser, kind, round) => finger(browser, kind, round, { slow: true }),
  'finger taps the link of the SIM': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    const number = newNumber().replace(/^27\d{3}/, SIM_RANGE);
    await context.addCookies([{ name: 'sim', value: number, url: `http://localhost${OPERATOR}` }]);
    await pause(between(900, 1800));
    const confirm = page.waitForURL(url => url.href.includes(OPERATOR), PATIENCE).then(() => PASSED);
    await tap(cdp, page.locator('form.join a.button').first());
    const outcome = await confirm.catch(() => HELD);
    await context.close();
    return outcome;
  },
  'number is pasted': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await pause(between(600, 1500));
    await tap(cdp, page.locator('input[name=msisdn]'));
    await page.keyboard.insertText(newNumber());
    const reply = nextReply(page);
    await pause(between(150, 800));
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'keyboard alone': async (browser, kind, round) => {
    const { context, page } = await open(browser, kind, round, { isMobile: false });
    await pause(between(400, 1000));
    await page.locator('input[name=msisdn]').focus();
    await page.keyboard.type(newNumber(), { delay: between(40, 130) });
    const reply = nextReply(page);
    await page.keyboard.press('Enter', { delay: between(40, 120) });
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'button pressed by Space, as by a switch or a screen reader': async (browser, kind, round) => {
    const { context, page } = await open(browser, kind, round);
    await pause(between(400, 1000));
    await page.locator('input[name=msisdn]').focus();
    await page.keyboard.insertText(newNumber());
    await button(page).focus();
    await pause(between(200, 900));
    const reply = nextReply(page);
    await page.keyboard.press('Space', { delay: between(40, 120) });
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  mouse: async (browser, kind, round) => {
    const { context, page } = await open(browser, kind, round, { isMobile: false });
    const field = await middleOf(page.locator('input[name=msisdn]'));
    await page.mouse.move(field.x, field.y, { steps: 12 });
    await page.mouse.click(field.x, field.y, { delay: between(40, 120) });
    await page.keyboard.type(newNumber(), { delay: between(40, 130) });
    const target = await middleOf(button(page));
    await page.mouse.move(target.x, target.y, { steps: 15 });
    const reply = nextReply(page);
    await page.mouse.down();
    await pause(between(45, 140));
    await page.mouse.up();
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'back from the network, and JOIN again': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await type(page, cdp, newNumber());
    await tap(cdp, button(page));
    await page.waitForURL(url => url.href.includes(OPERATOR), { timeout: 60_000 });
    await page.goBack();
    await hydrated(page);
    if (!(await page.locator('input[name=msisdn]').inputValue())) await type(page, cdp, newNumber());
    await pause(between(700, 1500));
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'two tabs': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    const other = await context.newPage();
    await other.goto(`${FORM}?ext_ref=${publisher(kind, round)}`);
    await hydrated(other);
    await page.bringToFront();
    await type(page, cdp, newNumber());
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await other.bringToFront();
    const otherCdp = await context.newCDPSession(other);
    await type(other, otherCdp, newNumber());
    const second = nextReply(other);
    await tap(otherCdp, button(other));
    const { result: ofOther } = await second;
    await context.close();
    return result === 1 && ofOther === 1 ? PASSED : HELD;
  },
  'wrong number first': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await type(page, cdp, '12');
    await tap(cdp, button(page));
    await page.locator('[role=alert], .Toastify__toast').first().waitFor({ timeout: 60_000 });
    await page.locator('input[name=msisdn]').fill('');
    await type(page, cdp, newNumber());
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
};

/** Persons who get through by the code: without scripts, or because their press looked like a script's. */
const personsWithCode = {
  'without scripts': async (browser, kind, round) => {
    const { context, page } = await open(browser, kind, round, { scripts: false });
    await page.locator('input[name=msisdn]').fill(newNumber());
    await button(page).click();
    const label = await page.locator('label[for=code]').textContent({ timeout: 60_000 });
    await pause(3200);
    await page.locator('#code').fill(label.match(/\d{3}/)[0]);
    await button(page).click();
    await page.waitForURL(url => url.href.includes(OPERATOR), { timeout: 60_000 });
    await context.close();
    return WITH_CODE;
  },
  'held by mistake': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await type(page, cdp, newNumber());
    const first = nextReply(page);
    await tapWithoutDuration(cdp, button(page));
    if ((await first).result === 1) return PASSED;
    const label = await page.locator('label[for=code]').textContent({ timeout: 60_000 });
    await pause(between(3200, 5000));
    await tap(cdp, page.locator('#code'));
    await page.keyboard.type(label.match(/\d{3}/)[0], { delay: 80 });
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return result === 1 ? WITH_CODE : HELD;
  },
};

/** Runs `script` in a page, which sends a join by itself. */
const scripted = (script, { typed = false } = {}) =>
  async function run(browser, kind, round) {
    const { context, page, cdp } = await open(browser, kind, round);
    const number = newNumber();
    if (typed) await type(page, cdp, number);
    await pause(1000);
    const reply = nextReply(page);
    await page.evaluate(script, number);
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  };

/** Sets the number as scripts do that know of React. */
const FILL = `(number => {
  const field = document.querySelector('input[name=msisdn]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, number);
  field.dispatchEvent(new Event('input', { bubbles: true }));
})`;
const withFill = rest => new Function('number', `${FILL}(number);${rest}`);

/** Scripted joins in Chromium. */
const inBrowser = {
  'link of the SIM, element.click()': async (browser, kind, round) => {
    const { context, page } = await open(browser, kind, round);
    await pause(1000);
    const held = page.waitForURL(url => url.searchParams.get('sim') === 'held', PATIENCE).then(() => HELD);
    await page.evaluate(() => document.querySelector('form.join a.button').click());
    const outcome = await held.catch(() => PASSED);
    await context.close();
    return outcome;
  },
  'element.click()': scripted(withFill(`document.querySelector('form.join [type=submit]').click()`)),
  'element.click() after a person typed': scripted(
    () => document.querySelector('form.join [type=submit]').click(),
    {
      typed: true,
    },
  ),
  'form.requestSubmit() after a person typed': scripted(
    () => document.querySelector('form.join').requestSubmit(),
    {
      typed: true,
    },
  ),
  'synthetic pointer and click events': scripted(
    withFill(`const button = document.querySelector('form.join [type=submit]');
      for (const [Kind, name] of [[PointerEvent, 'pointerdown'], [PointerEvent, 'pointerup'], [MouseEvent, 'click']])
        button.dispatchEvent(new Kind(name, { bubbles: true, cancelable: true, pointerType: 'touch' }));`),
  ),
  'number set by a script, real tap': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await pause(1000);
    await page.evaluate(withFill(''), newNumber());
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'headless: fill and click at once': async (browser, kind, round) => {
    const { context, page } = await open(browser, kind, round);
    await page.locator('input[name=msisdn]').fill(newNumber());
    const reply = nextReply(page);
    await button(page).click();
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'automated browser that types like a person': async (browser, kind, round) =>
    finger(browser, kind, round, {
      prepare: () => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => true }),
    }),
  'taps without duration, as of a device farm': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await type(page, cdp, newNumber());
    const reply = nextReply(page);
    await tapWithoutDuration(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'overlay above JOIN that lets the tap through': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await page.evaluate(() => {
      const cover = document.createElement('div');
      cover.textContent = 'Play the video';
      cover.style.cssText =
        'position:fixed;inset:0;z-index:9999;background:#000;color:#fff;pointer-events:none';
      document.body.append(cover);
    });
    await type(page, cdp, newNumber());
    await pause(500);
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'transparent JOIN above a decoy': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await page.evaluate(() => {
      document.querySelector('form.join').style.opacity = '0.01';
    });
    await type(page, cdp, newNumber());
    await pause(500);
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'every field filled, hidden ones too': async (browser, kind, round) => {
    const { context, page, cdp } = await open(browser, kind, round);
    await type(page, cdp, newNumber());
    await page.evaluate(() => {
      for (const field of document.querySelectorAll(
        'form.join input:not([type=checkbox],[type=hidden],#msisdn)',
      ))
        field.value = '0812345678';
    });
    const reply = nextReply(page);
    await tap(cdp, button(page));
    const { result } = await reply;
    await context.close();
    return outcomeOf(result);
  },
  'the form in a frame of another site': async (browser, kind, round) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('http://decoy.test/', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${FORM}?ext_ref=${publisher(kind, round)}" width="360" height="700"></iframe>`,
      }),
    );
    await page.goto('http://decoy.test/');
    await pause(800);
    const forms = await Promise.all(page.frames().map(frame => frame.locator('form.join').count()));
    await context.close();
    return forms.some(count => count > 0) ? PASSED : HELD;
  },
};

// == The run

/** Runs each kind of a group ROUNDS times, `most` at a time; counts outcomes by kind. */
async function runAll(group, kinds, most, expected, run) {
  console.log(`== ${group}`);
  const rows = [];
  for (const [kind, act] of Object.entries(kinds)) {
    if (!`${group}: ${kind}`.includes(ONLY)) continue;
    const counts = new Map();
    let next = 0;
    const worker = async () => {
      while (next < ROUNDS) {
        const round = next;
        next += 1;
        let outcome;
        try {
          outcome = await run(act, kind, round);
        } catch (error) {
          outcome = FAILED;
          console.error(`${kind}: ${error}`);
          if (!browser.isConnected()) throw new Error('the browser has ended', { cause: error });
        }
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: most }, worker));
    const right = counts.get(expected) ?? 0;
    rows.push({ kind, joins: ROUNDS, right, counts });
    console.log(
      `${kind.padEnd(60)} ${String(right).padStart(4)} of ${ROUNDS} ${expected}` +
        (right === ROUNDS ? '' : `: ${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}`),
    );
  }
  return rows;
}

const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-blink-features=AutomationControlled'],
});

// Challenges that are stale once the service's clock has moved on.
for (let i = 0; i < 5; i += 1) stale.push(await challenge());
const moved = await fetch(`http://127.0.0.1:${PORT + 5}/internal/clock`, {
  method: 'POST',
  headers: { authorization: 'Bearer dev-admin', 'content-type': 'application/json' },
  body: JSON.stringify({ now: new Date(Date.now() + 2.2 * 3_600_000).toISOString() }),
});
if (!moved.ok) throw new Error(`the clock: ${moved.status} ${await moved.text()}`);

// A join of a person, as an attacker records it.
{
  const { context, page, cdp } = await open(browser, 'recorded', 0);
  await type(page, cdp, newNumber());
  const sent = page.waitForRequest(request => new URL(request.url()).pathname === '/api/subscribe');
  const reply = nextReply(page);
  await tap(cdp, button(page));
  recorded = JSON.parse((await sent).headers()['x-join-check']);
  const { result } = await reply;
  if (result !== 1) throw new Error(`a person's join was held: ${JSON.stringify(recorded)}`);
  await context.close();
}

const attacks = [
  ...(await runAll('scripts over HTTP', overHttp, 8, HELD, (act, kind, round) => act(kind, round))),
  ...(await runAll('scripts in Chromium', inBrowser, PAGES, HELD, (act, kind, round) =>
    act(browser, kind, round),
  )),
];
const walks = await runAll('persons', persons, PAGES, PASSED, (act, kind, round) =>
  act(browser, kind, round),
);
const byCode = await runAll(
  'persons who type the code',
  personsWithCode,
  PAGES,
  WITH_CODE,
  (act, kind, round) => act(browser, kind, round),
);
await browser.close();

// What signals cannot show: a program that is written for this page, with signals that differ each time. It is counted, and bounded elsewhere:
// by the limits of numbers and addresses, the network's own page, and the publisher's early leaves.
if (!ONLY) {
  let passed = 0;
  for (let round = 0; round < 10; round += 1) {
    const check = { challenge: await challenge(), signals: forgedSignals() };
    await pause(400);
    passed += (await join('tailored', round, check)).result === 1 ? 1 : 0;
  }
  console.log(`== not recognised: a program written for this page, ${passed} of 10 reach the network's page`);
}

const [joins, held] = [sum(attacks, row => row.joins), sum(attacks, row => row.right)];
const all = [...walks, ...byCode];
const [persons_, through] = [sum(all, row => row.joins), sum(all, row => row.right)];
// A walk that came to no end says nothing of the rules.
const failed = sum(all, row => row.counts.get(FAILED) ?? 0);
const heldPersons = persons_ - through - failed;
const share = (part, whole) => `${part} of ${whole} (${((100 * part) / Math.max(whole, 1)).toFixed(2)} %)`;
console.log(
  `scripted joins held: ${share(held, joins)}; persons held: ${share(heldPersons, persons_)}; walks without an outcome: ${failed}`,
);
if (held < 0.99 * joins || heldPersons > 0.001 * persons_)
  console.error('at least 99 % of scripted joins must be held, and at most 0.1 % of persons');
else if (failed > 0) console.error('every walk must come to its end');
else process.exit(0);
process.exit(1);
