/**
 * Renews the root README's pictures in screenshots/: the homes, a feed, a list of what is a visitor's own, and a search, of the family that
 * runs with the test number at WEB_PORT (8080).
 *
 *     npm run screenshots [NAME…]    only these, such as `mine` or `mcfunny`
 */
import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { readBrands } from './brands.js';

const port = process.env.WEB_PORT ?? '8080';
const SHELL = '/usr/bin/chromium';
const WEBP_QUALITY = 72;
const TEST_MSISDN = '27600000000';

const brandOf = label => readBrands().find(({ labels }) => labels.includes(label));
const VIDEOS = 'ttmbhatv';

/** The page of each picture, as a subscriber sees it. */
const PICTURES = {
  ...Object.fromEntries(
    ['mcfunny', 'diski99', 'memeworld', 'ttmbhatv', 'racedaytv'].map(label => [label, { label, path: '/' }]),
  ),
  feed: { label: VIDEOS, path: '/feed' },
  mine: { label: VIDEOS, path: '/mine', keeps: [0, 3, 6, 9] },
  search: { label: 'mcfunny', path: '/search' },
};

/** Opens the test number's session on the home. */
async function signIn(page, origin, label) {
  const { home, service } = brandOf(label);
  const opened = page.waitForResponse('**/api/session/test');
  await page.goto(
    `${origin}${home}?service=${encodeURIComponent(service)}&msisdn=${TEST_MSISDN}&result=active`,
  );
  await opened;
}

/** Puts these videos of the home on the watchlist. */
async function keep(page, places) {
  const cards = page.locator('.carousel-row .video-card');
  const links = await cards.evaluateAll(all => all.map(({ href }) => href));
  for (const place of places) {
    const listed = page.waitForResponse('**/api/tt/getTTWatchlist/**');
    await page.goto(links[place]);
    await listed;
    const mark = page.getByRole('button', { name: 'Watchlist', exact: true });
    if ((await mark.getAttribute('aria-pressed')) === 'true') continue;
    const saved = page.waitForResponse('**/api/tt/ttaddwatchlist');
    await mark.tap();
    await saved;
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? SHELL,
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  const chosen = process.argv.slice(2);
  for (const [name, { label, path, keeps = [] }] of Object.entries(PICTURES)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      isMobile: true,
      hasTouch: true,
      locale: 'en-ZA',
      timezoneId: 'Africa/Johannesburg',
    });
    const page = await context.newPage();
    const origin = `http://${label}.localhost:${port}`;
    await signIn(page, origin, label);
    await keep(page, keeps);
    await page.goto(origin + path);
    await page.waitForTimeout(4000);
    const devtools = await context.newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY });
    const file = new URL(`../screenshots/${name}.webp`, import.meta.url);
    writeFileSync(file, Buffer.from(data, 'base64'));
    console.log(`${name}: ${Buffer.from(data, 'base64').length} bytes`);
    await context.close();
  }
} finally {
  await browser.close();
}
