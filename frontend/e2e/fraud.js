/**
 * `make fraud`: joins by programs, which must be held, and persons' walks, which must not. Each goes to a running family at FRAUD_PORT as a stranger does:
 * over HTTP, or in Chromium. A join that is not held reaches the network's page (result 1), where money begins.
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
const FORM = `http://${HOST}/memelogin`;
const OPERATOR = `:${PORT + 10}/`;

const HELD = 'held';
const PASSED = 'passed';

const agent = new Agent({ keepAlive: true });
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

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

/** A browser without a page: its address and cookies. */
const newBrowser = () => ({ address: newAddress(), cookie: 'cookies=1' });

/** A request over HTTP. Not by fetch, which resolves no *.localhost on some machines. */
function send(of, path, body, { method = 'POST', headers = {} } = {}) {
  const isForm = typeof body === 'string';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const own = { host: HOST, 'content-type': type, 'x-forwarded-for': of.address, cookie: of.cookie };
  const options = { host: '127.0.0.1', port: PORT, path, method, agent, headers: { ...own, ...headers } };
  return new Promise((resolve, reject) => {
    const sent = request(options, async response => {
      const chunks = await response.setEncoding('utf8').toArray();
      const cookies = (response.headers['set-cookie'] ?? []).map(cookie => cookie.split(';')[0]);
      if (cookies.length > 0) of.cookie = ['cookies=1', ...cookies].join('; ');
      resolve({ status: response.statusCode, text: chunks.join(''), location: response.headers.location });
    });
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : isForm ? body : JSON.stringify(body));
  });
}

const challengeOf = async (of, svc_id = MEME) =>
  JSON.parse((await send(of, '/api/subscribe/challenge', { svc_id })).text).challenge;

const outcomeOf = ({ result }) => ({ 1: PASSED, 4: HELD })[result] ?? `result ${result}`;

/** A join over HTTP; its reply. */
async function join(of, check = {}, { svc_id = MEME, msisdn = newNumber(), headers } = {}) {
  const body = { msisdn, ext_ref: 'fraud', channel: 'WAP', svc_id, ...check };
  const { status, text } = await send(of, '/api/subscribe', body, { headers });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}

/** A challenge of one browser, sent by another, or by itself from elsewhere. */
async function joinWith(of, sender, svc_id) {
  const challenge = await challengeOf(of, svc_id);
  await pause(400);
  return outcomeOf(await join(sender, { challenge }));
}

/** A join that is held, and then sent again with this code. */
async function joinAgain(code) {
  const of = newBrowser();
  const { challenge } = await join(of);
  await pause(3200);
  return outcomeOf(await join(of, { challenge, code }));
}

/** Opens the link by which a network recognises the SIM, as a program on a phone does; it must not lead to the network. */
async function simLink(challenge) {
  const query = new URLSearchParams({ network: SIM_NETWORK, ext_ref: 'fraud', challenge });
  const { location = '' } = await send(newBrowser(), `/api/subscribe/verify-number?${query}`, '', {
    method: 'GET',
  });
  if (location.includes('/authorize')) return PASSED;
  return location.includes('sim=held') ? HELD : `leads to ${location}`;
}

const stale = [];

const programs = {
  'POST without a challenge': async () => outcomeOf(await join(newBrowser())),
  'challenge at once': async () => {
    const of = newBrowser();
    return outcomeOf(await join(of, { challenge: await challengeOf(of) }));
  },
  'challenge of another brand': () => {
    const of = newBrowser();
    return joinWith(of, of, MCFUNNY);
  },
  'challenge of another browser': () => joinWith(newBrowser(), newBrowser()),
  'challenge of another address': () => {
    const of = newBrowser();
    return joinWith(of, { ...of, address: newAddress() });
  },
  'challenge with another signature': async () => {
    const of = newBrowser();
    const challenge = (await challengeOf(of)).replace(/.$/, last => (last === '0' ? '1' : '0'));
    await pause(400);
    return outcomeOf(await join(of, { challenge }));
  },
  'stale challenge': async () => {
    const { of, challenge } = stale[0];
    return outcomeOf(await join(of, { challenge }));
  },
  'one challenge, other numbers': async () => {
    const of = newBrowser();
    const challenge = await challengeOf(of);
    await pause(400);
    await join(of, { challenge });
    return outcomeOf(await join(of, { challenge }));
  },
  'held join sent again': () => joinAgain(''),
  'held join sent again, number as the code': () => joinAgain(newNumber()),
  'POST with the header of the network': async () => {
    const of = { ...newBrowser(), address: HEADER_ADDRESS };
    const headers = { host: `ttmbhatv.localhost:${PORT}`, 'x-msisdn': `9f2c41d0${newNumber()}` };
    return outcomeOf(await join(of, {}, { svc_id: TT, msisdn: '', headers }));
  },
  'link of the SIM without a tap': () => simLink(''),
  'link of the SIM, challenge of another machine': async () => {
    const challenge = await challengeOf(newBrowser());
    await pause(400);
    return simLink(challenge);
  },
  'form filler: every field, twice': async () => {
    const of = newBrowser();
    const fields = { msisdn: newNumber(), ext_ref: 'fraud', agree: '1' };
    const { text } = await send(of, '/join', String(new URLSearchParams(fields)));
    const [, challenge] = text.match(/name="challenge" value="([^"]+)"/) ?? [];
    if (!challenge) throw new Error('the held form has no challenge');
    await pause(3200);
    const filled = { ...fields, challenge, code: fields.msisdn, homepage: fields.msisdn };
    return (await send(of, '/join', String(new URLSearchParams(filled)))).status === 303 ? PASSED : HELD;
  },
};

// == In Chromium

const PATIENCE = { timeout: 60_000 };

/** A visitor's page at the join form. */
async function open(browser, { scripts = true, slow = false } = {}) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-ZA',
    javaScriptEnabled: scripts,
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  });
  const page = await context.newPage();
  if (slow) {
    const network = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await (await context.newCDPSession(page)).send('Network.emulateNetworkConditions', network);
  }
  await page.goto(`${FORM}?ext_ref=fraud`, { timeout: 120_000 });
  if (scripts) await hydrated(page);
  return page;
}

const hydrated = page => page.waitForSelector('html[data-hydrated]', { timeout: 120_000 });
const field = page => page.locator('input[name=msisdn]');
const button = page => page.locator('form.join button[type=submit]').first();
const atNetwork = page =>
  page
    .waitForURL(url => url.href.includes(OPERATOR), { ...PATIENCE, waitUntil: 'commit' })
    .then(() => PASSED);

async function type(page, number = newNumber()) {
  await field(page).tap();
  await page.keyboard.type(number, { delay: 60 });
}

async function press(page) {
  const there = atNetwork(page);
  await button(page).tap();
  return there;
}

async function finger(browser, options) {
  const page = await open(browser, options);
  await type(page);
  return press(page);
}

const persons = {
  'finger types': browser => finger(browser),
  'finger types, on slow 3G': browser => finger(browser, { slow: true }),
  'finger taps the link of the SIM': async browser => {
    const page = await open(browser);
    const value = newNumber().replace(/^27\d{3}/, SIM_RANGE);
    await page.context().addCookies([{ name: 'sim', value, url: `http://localhost${OPERATOR}` }]);
    const there = atNetwork(page);
    await page.locator('form.join a.button').first().tap();
    return there;
  },
  'keyboard alone': async browser => {
    const page = await open(browser);
    await field(page).focus();
    await page.keyboard.type(newNumber());
    const there = atNetwork(page);
    await page.keyboard.press('Enter');
    return there;
  },
  'back from the network, and JOIN again': async browser => {
    const page = await open(browser);
    await type(page);
    await press(page);
    await page.goBack();
    await hydrated(page);
    if (!(await field(page).inputValue())) await type(page);
    return press(page);
  },
  'two tabs': async browser => {
    const page = await open(browser);
    const other = await page.context().newPage();
    await other.goto(FORM);
    await hydrated(other);
    await type(page);
    const first = await press(page);
    await type(other);
    return (await press(other)) === first ? first : HELD;
  },
  'wrong number first': async browser => {
    const page = await open(browser);
    await type(page, '12');
    await button(page).tap();
    await page.locator('.Toastify__toast').first().waitFor(PATIENCE);
    await field(page).fill('');
    await type(page);
    return press(page);
  },
  'without scripts, by the code': async browser => {
    const page = await open(browser, { scripts: false });
    await field(page).fill(newNumber());
    await button(page).click();
    const label = await page.locator('label[for=code]').textContent(PATIENCE);
    await pause(3200);
    await page.locator('#code').fill(label.match(/\d{3}/)[0]);
    return press(page);
  },
};

// == The run

/** Runs each kind of a group ROUNDS times, `most` at a time; returns how many had another outcome. */
async function runAll(group, kinds, most, expected) {
  console.log(`== ${group}`);
  let wrong = 0;
  for (const [kind, act] of Object.entries(kinds)) {
    if (!`${group}: ${kind}`.includes(ONLY)) continue;
    const others = [];
    let next = 0;
    const worker = async () => {
      while (next < ROUNDS) {
        next += 1;
        const outcome = await act(browser).catch(error => `${error}`);
        if (outcome !== expected) others.push(outcome);
      }
    };
    await Promise.all(Array.from({ length: most }, worker));
    await Promise.all(browser.contexts().map(context => context.close()));
    const right = `${ROUNDS - others.length} of ${ROUNDS} ${expected}`;
    console.log([kind.padEnd(60), right.padStart(20), ...others].join(' '));
    wrong += others.length;
  }
  return wrong;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

// A challenge that is stale once the service's clock has moved on.
const visitor = newBrowser();
stale.push({ of: visitor, challenge: await challengeOf(visitor) });
const moved = await fetch(`http://127.0.0.1:${PORT + 5}/internal/clock`, {
  method: 'POST',
  headers: { authorization: 'Bearer dev-admin', 'content-type': 'application/json' },
  body: JSON.stringify({ now: new Date(Date.now() + 2.2 * 3_600_000).toISOString() }),
});
if (!moved.ok) throw new Error(`the clock: ${moved.status} ${await moved.text()}`);

const passed = await runAll('programs over HTTP', programs, 8, HELD);
const held = await runAll('persons', persons, PAGES, PASSED);
await browser.close();
console.log(`programs that passed: ${passed}; persons that were held: ${held}`);
process.exit(passed + held > 0 ? 1 : 0);
