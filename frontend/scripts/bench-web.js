/**
 * Measures the production build on a simulated cheap phone: starts the family with the demo pack, runs Lighthouse's mobile preset (with
 * simulated and applied slow 4G) on every brand's home and join form and on one player, taps homes and join forms of each kind on slow 3G as
 * soon as they are painted, taps links, measures twelve interactions on a processor six times slower, swipes through the feeds, and writes the medians to target/bench/web.json and target/bench/report.html.
 *
 * ROUNDS: runs per page and mode (5). FAMILY: the program to start (target/release/family). ONLY: a part of the pages' names.
 * WEB_PORT: the port of a running family to measure instead. CHROMIUM: the browser.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { write } from './bench-report.js';
import { readBrands } from './brands.js';
import { feedSwipes, p75 } from './feed-swipes.js';
import { firstTap } from './first-tap.js';
import { interactions } from './interactions.js';
import { taps } from './taps.js';

const REPOSITORY = new URL('../../', import.meta.url).pathname;
const FIGURES = `${REPOSITORY}target/bench/web.json`;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const FAMILY =
  process.env.FAMILY ?? `${process.env.CARGO_TARGET_DIR ?? `${REPOSITORY}target`}/release/family`;

/** Lighthouse's slow 4G: simulated from a fast run, or applied by the browser. */
const MODES = [
  ['simulated', 'simulate', ['performance', 'accessibility', 'best-practices', 'seo']],
  ['applied', 'devtools', ['performance']],
];

/** Limits: seconds of LCP with applied and simulated slow 4G, and the least performance score. */
const LIMITS = {
  join: { applied: 1.0, simulated: 2.0, performance: 97 },
  home: { applied: 1.7, simulated: 2.0, performance: 97 },
  video: { applied: 1.9, simulated: 2.2, performance: 97 },
};
const MOST_CLS = 0.02;

/** Swipes through a feed, and the milliseconds to the first frame that three of four of them keep. */
const SWIPES = 12;
const FIRST_FRAME_MS = 500;
/** Taps on prefetched links, and the median of the milliseconds to the next page. */
const TAPS = 7;
const TAP_MS = 300;
/** The same without an earlier touch, and the milliseconds until a sign that the tap counts. */
const COLD_TAP_MS = 600;
const SIGN_MS = 100;
/** The milliseconds that the slowest of twelve interactions may take on a processor six times slower (the 98th percentile of twelve). */
const INP_MS = 100;
/** Seconds from a page's first paint, on slow 3G, until a tap works: on the menu's button, and on JOIN, which leads to the network's page. */
const FIRST_TAPS = {
  home: { limit: 7.5, taps: '.site-header-toggle', shows: '#site-menu[data-open=true]' },
  join: { limit: 5.5, taps: 'form.join [type=submit]', shows: '[name=answer][value=confirm]' },
};
/** `make run` has it. */
const TEST_MSISDN = '27600000000';

const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const pause = ms => new Promise(done => setTimeout(done, ms));

/** Requests a path with the brand in the Host header, because Node does not resolve `*.localhost`. Returns status and text. */
const ask = (port, path, host = '127.0.0.1') =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, headers: { host }, timeout: 10_000 }, reply => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', part => {
        text += part;
      });
      reply.on('end', () => resolve({ status: reply.statusCode, text }));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer from ${path}`)));
    request.on('error', reject);
  });

const isFree = port =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** The first of eleven free neighbouring ports. */
async function freePorts() {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const free = await Promise.all(Array.from({ length: 11 }, (_, offset) => isFree(port + offset)));
    if (free.every(Boolean)) return port;
  }
  throw new Error('no eleven free ports next to each other');
}

/** Starts a family with an empty data folder. */
async function startFamily() {
  const state = mkdtempSync(`${tmpdir()}/bench-web-`);
  const port = await freePorts();
  const family = spawn(FAMILY, [], {
    cwd: REPOSITORY,
    env: { ...process.env, PORT: String(port), DATA_DIR: `${state}/data`, RUST_LOG: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise(done => family.once('close', done));
  let failure;
  family.once('error', error => {
    failure = error;
  });
  const stop = async () => {
    family.kill('SIGINT');
    await ended;
    rmSync(state, { recursive: true, force: true });
  };
  for (let waited = 0; waited < 240; waited += 1) {
    if (failure || family.exitCode !== null) throw failure ?? new Error(`${FAMILY} ended`);
    const ready = await ask(port, '/readyz').catch(() => undefined);
    if (ready?.status === 200) return { port, stop };
    await pause(500);
  }
  await stop();
  throw new Error(`${FAMILY} is not ready after two minutes`);
}

/** Every label's home and join form, and the first video on demand. */
async function pagesOf(port) {
  const labels = readBrands().flatMap(({ labels, ...brand }) => labels.map(label => ({ ...brand, label })));
  const pages = labels.flatMap(({ label, kind, join }) => [
    { name: `${label} home`, label, path: '/', limits: kind === 'tt' ? LIMITS.video : LIMITS.home },
    { name: `${label} join`, label, path: join, limits: LIMITS.join },
  ]);
  const { label, service } = labels.find(({ kind }) => kind === 'tt');
  const { text } = await ask(
    port,
    `/api/tt/getcatvideos/${encodeURIComponent(service)}`,
    `${label}.localhost`,
  );
  const [{ videos }] = JSON.parse(text);
  const path = `/ttsingle/${videos[0].id}/${encodeURIComponent(service)}`;
  pages.push({ name: `${label} player`, label, path, limits: LIMITS.video });
  return pages
    .filter(({ name }) => name.includes(process.env.ONLY ?? ''))
    .map(page => ({ ...page, url: `http://${page.label}.localhost:${port}${page.path}` }));
}

/** The first brand of each kind. */
const KINDS = ['comedy', 'diski', 'meme', 'tt'].map(kind => readBrands().find(brand => brand.kind === kind));

const most = (what, value, limit) => ({ what, value, limit, ok: value <= limit });

/** The home and the join form of each kind, tapped as soon as they are painted. */
async function firstTapsOf(browser, port) {
  const rows = [];
  for (const { labels, join } of KINDS)
    for (const [form, path] of [
      ['home', '/'],
      ['join', join],
    ]) {
      const [label] = labels;
      const name = `${label} ${form}, first tap`;
      if (!name.includes(process.env.ONLY ?? '')) continue;
      const url = `http://${label}.localhost:${port}${path}`;
      await warm(browser, url);
      const { limit, ...tap } = FIRST_TAPS[form];
      const taps_ms = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const number = form === 'join' && `2781${String(100 * rows.length + round).padStart(3, '0')}5555`;
        taps_ms.push(await firstTap(browser, url, { ...tap, number }));
      }
      const verdicts = [most('tap after paint, s', median(taps_ms) / 1000, limit)];
      const about = `${ROUNDS} taps on slow 3G: ${taps_ms.join(', ')} ms after the first paint`;
      rows.push({ name, label, path, taps_ms, about, failed: [], verdicts });
    }
  return rows;
}

/** One feed of each kind. */
async function feedsOf(browser, port) {
  const feeds = [];
  for (const { kind, labels, service, home } of KINDS) {
    if (kind === 'meme') continue;
    const name = `${labels[0]} feed`;
    if (!name.includes(process.env.ONLY ?? '')) continue;
    const query = `service=${encodeURIComponent(service)}&msisdn=${TEST_MSISDN}&result=active`;
    const origin = `http://${labels[0]}.localhost:${port}`;
    const swipes_ms = await feedSwipes(browser, origin, `${home}?${query}`, SWIPES);
    const verdicts = [most('first frame p75, ms', p75(swipes_ms), FIRST_FRAME_MS)];
    const about = `${SWIPES} swipes on slow 4G`;
    feeds.push({ name, label: labels[0], path: '/feed', swipes_ms, about, failed: [], verdicts });
  }
  return feeds;
}

/** A list of each kind whose links are tapped, and what their pages show. */
async function tapsOf(browser, port) {
  const read = async (label, path) => JSON.parse((await ask(port, path, `${label}.localhost`)).text);
  const lists = [];
  for (const { kind, labels, service } of KINDS) {
    const [label] = labels;
    const name = `${label} taps`;
    // A meme opens over its list.
    if (kind === 'meme' || !name.includes(process.env.ONLY ?? '')) continue;
    const part = encodeURIComponent(service);
    const card = { links: 'main .video-card', shows: 'main .watch-text h1' };
    if (kind === 'tt') {
      const [{ id }] = await read(label, `/api/tt/getCategory/${part}`);
      lists.push({ name, label, path: `/ttcategory/${id}/${part}`, ...card });
    } else {
      const prefix = kind === 'comedy' ? 'madfunny' : 'diski';
      const [{ id }] = await read(label, `/api/${prefix}/fetchArtist?service=${part}`);
      const grid = kind === 'comedy' ? 'allvideos' : 'artistvideos';
      lists.push({ name, label, path: `/${grid}/${id}/${part}/1`, ...card });
    }
  }
  const rows = [];
  for (const { name, label, path, ...list } of lists)
    for (const touched of [true, false]) {
      const options = { ...list, touched, count: TAPS };
      const times = await taps(browser, `http://${label}.localhost:${port}`, path, options);
      const [taps_ms, signs_ms] = [times.map(({ content }) => content), times.map(({ sign }) => sign)];
      const verdicts = [
        most('tap median, ms', median(taps_ms), touched ? TAP_MS : COLD_TAP_MS),
        most('sign median, ms', median(signs_ms), SIGN_MS),
      ];
      const about = `${taps_ms.length} taps on slow 4G: ${taps_ms.join(', ')} ms, with a sign after ${signs_ms.join(', ')} ms`;
      const row = { label, path, taps_ms, signs_ms, about, failed: [], verdicts };
      rows.push({ name: touched ? name : `${name} without a touch before`, ...row });
    }
  return rows;
}

/** The home of each kind, and its search. */
async function interactionsOf(browser, port) {
  const rows = [];
  for (const { kind, labels } of KINDS) {
    const [label] = labels;
    const name = `${label} interactions`;
    if (!name.includes(process.env.ONLY ?? '')) continue;
    const slowest = await interactions(browser, `http://${label}.localhost:${port}`, kind);
    const verdicts = [most('INP, ms', slowest[0].ms, INP_MS)];
    const about = `12 taps and keys, processor six times slower: ${slowest.map(({ ms, on }) => `${ms} ms ${on}`).join(', ')}`;
    rows.push({ name, label, path: '/', slowest, about, failed: [], verdicts });
  }
  return rows;
}

/** Runs Lighthouse, and retries when a busy machine broke the trace ("NO_NAVSTART"). */
async function auditWithRetries(url, debugPort, mode, tries = 4) {
  try {
    return await audit(url, debugPort, mode);
  } catch (error) {
    if (tries <= 1) throw error;
    console.error(error.message);
    return auditWithRetries(url, debugPort, mode, tries - 1);
  }
}

/** Runs Lighthouse once. Sizes are transfer sizes, including headers. */
async function audit(url, debugPort, [, throttlingMethod, onlyCategories]) {
  const flags = { port: debugPort, output: 'json', logLevel: 'error', throttlingMethod, onlyCategories };
  const { lhr } = await lighthouse(url, flags);
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  const unscored = Object.values(lhr.categories).find(({ score }) => score === null);
  if (unscored) throw new Error(`${url}: no score for ${unscored.id}`);
  const value = audit => lhr.audits[audit].numericValue;
  const requests = lhr.audits['network-requests'].details.items;
  const bytes = type =>
    requests
      .filter(({ resourceType }) => !type || resourceType === type)
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
  const scores = Object.fromEntries(
    Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round(score * 100)]),
  );
  const failed = Object.values(lhr.categories)
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
    .map(({ id }) => id);
  return {
    figures: {
      ...scores,
      lcp_s: value('largest-contentful-paint') / 1000,
      fcp_s: value('first-contentful-paint') / 1000,
      tbt_ms: value('total-blocking-time'),
      cls: value('cumulative-layout-shift'),
      html_bytes: bytes('Document'),
      js_bytes: bytes('Script'),
      css_bytes: bytes('Stylesheet'),
      image_bytes: bytes('Image'),
      all_bytes: bytes(),
    },
    failed,
  };
}

/** The median of each figure over the rounds. */
const medians = looks =>
  Object.fromEntries(
    Object.keys(looks[0]).map(figure => [
      figure,
      Math.round(median(looks.map(each => each[figure])) * 1000) / 1000,
    ]),
  );

/** The limits of a page: name, measured value, limit, and whether it is met. */
function verdicts({ limits, simulated, applied }) {
  const least = (what, value, limit) => ({ what, value, limit, ok: value >= limit });
  return [
    least('performance', simulated.performance, limits.performance),
    ...['accessibility', 'best-practices', 'seo'].map(name => least(name, simulated[name], 100)),
    most('LCP simulated, s', simulated.lcp_s, limits.simulated),
    most('LCP applied, s', applied.lcp_s, limits.applied),
    most('CLS', Math.max(simulated.cls, applied.cls), MOST_CLS),
  ];
}

/** Loads the page once, to fill the image resizer's and other caches. */
async function warm(browser, url) {
  const page = await browser.newPage({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.close();
}

function print(page) {
  const { name, simulated, applied } = page;
  const kb = bytes => (bytes / 1000).toFixed(1);
  const about = () =>
    `performance ${simulated.performance} (applied ${applied.performance}), TBT ${Math.round(simulated.tbt_ms)} ms; ` +
    `HTML ${kb(simulated.html_bytes)}, JS ${kb(simulated.js_bytes)}, CSS ${kb(simulated.css_bytes)}, ` +
    `images ${kb(simulated.image_bytes)}, all ${kb(simulated.all_bytes)} KB`;
  console.log(`\n${name}: ${page.about ?? about()}`);
  for (const { what, value, limit, ok } of page.verdicts)
    console.log(`  ${ok ? 'ok  ' : 'FAIL'} ${what.padEnd(18)} ${String(value).padStart(7)}  limit ${limit}`);
  if (page.failed.length > 0) console.log(`       not passed: ${page.failed.join(', ')}`);
}

async function measure(port) {
  const debugPort = await freePorts();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${debugPort}`],
  });
  try {
    const pages = await pagesOf(port);
    const looks = new Map(pages.map(({ name }) => [name, { simulated: [], applied: [], failed: new Set() }]));
    for (const { url } of pages) await warm(browser, url);
    // Pages alternate, so that a slow period of the machine affects all of them.
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { name, url } of pages)
        for (const mode of MODES) {
          const { figures, failed } = await auditWithRetries(url, debugPort, mode);
          const seen = looks.get(name);
          seen[mode[0]].push(figures);
          for (const audit of failed) seen.failed.add(audit);
          // A run takes most of an hour: this line shows progress.
          console.error(
            `round ${round + 1} of ${ROUNDS}, ${name}, ${mode[0]}: LCP ${figures.lcp_s.toFixed(2)} s, performance ${figures.performance}`,
          );
        }
    const results = pages.map(({ name, path, label, limits }) => {
      const seen = looks.get(name);
      const result = {
        name,
        label,
        path,
        limits,
        simulated: medians(seen.simulated),
        applied: medians(seen.applied),
        failed: [...seen.failed],
      };
      return { ...result, verdicts: verdicts(result) };
    });
    const rows = [...results];
    for (const others of [firstTapsOf, tapsOf, interactionsOf, feedsOf])
      rows.push(...(await others(browser, port)));
    if (rows.length === 0) throw new Error(`no page has "${process.env.ONLY}" in its name`);
    return { browser: browser.version(), processors: cpus().length, rounds: ROUNDS, pages: rows };
  } finally {
    await browser.close();
  }
}

const running = process.env.WEB_PORT;
const family = running ? { port: Number(running), stop: async () => undefined } : await startFamily();
try {
  const figures = await measure(family.port);
  mkdirSync(new URL('.', `file://${FIGURES}`), { recursive: true });
  writeFileSync(FIGURES, `${JSON.stringify(figures, null, 2)}\n`);
  for (const page of figures.pages) print(page);
  const broken = figures.pages.flatMap(({ verdicts }) => verdicts).filter(({ ok }) => !ok).length;
  console.log(
    `\n${broken === 0 ? 'every limit holds' : `${broken} limits do not hold`}; figures: ${FIGURES}`,
  );
  console.log(`report: ${write(new URL('.', `file://${FIGURES}`).pathname)}`);
  process.exitCode = broken === 0 ? 0 : 1;
} finally {
  await family.stop();
}
