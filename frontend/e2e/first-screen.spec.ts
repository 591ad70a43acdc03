/** Server-rendered screens: visible before scripts run, and unchanged by hydration. */
import { type Browser, expect, type Page } from '@playwright/test';
import { centerOf, newNumber, site, test, touchInput } from './visit';

const PAGES = [
  { label: 'mcfunny', path: '/', shows: 'Swipe right if you like what you see.' },
  { label: 'diski99', path: '/', shows: 'Swipe right if you like what you see.' },
  { label: 'memeworld', path: '/', shows: 'Click on a meme to get started now!' },
  { label: 'memeworld', path: '/memeCategory/0/1/memeworld', shows: 'LOAD SHEDDING' },
  { label: 'ttmbhatv', path: '/', shows: 'Drama' },
  { label: 'racedaytv', path: '/', shows: 'Raceday TV' },
  { label: 'racedaytv', path: '/racedaylogin', shows: 'ENTER YOUR NUMBER AND JOIN' },
  { label: 'memeworld', path: '/terms', shows: 'Who may use the service' },
];

/** Blocks scripts until the returned function is called: all of them, or those that match `waits`. */
async function holdScripts(page: Page, waits = /./): Promise<() => void> {
  let releaseScripts: () => void = () => undefined;
  const held = new Promise<void>(done => {
    releaseScripts = done;
  });
  await page.route(/\/assets\/[\w-]+\.[0-9a-f]+\.js$/, async route => {
    if (waits.test(route.request().url())) await held;
    await route.continue();
  });
  return releaseScripts;
}

/** Waits for hydration: React adds properties to the elements that it controls. */
const waitForHydration = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const main = document.querySelector('#main');
        return main !== null && Object.keys(main).some(key => key.startsWith('__react'));
      }),
    )
    .toBe(true);

for (const { label, path, shows } of PAGES) {
  test(`${label}: ${path} is rendered before scripts run, and hydration keeps it`, async ({ page }) => {
    const fetched: string[] = [];
    page.on('request', request => fetched.push(request.url()));
    await page.addInitScript(() => {
      const shifts = { sum: 0 };
      Object.assign(window, { shifts });
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.sum += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const releaseScripts = await holdScripts(page);
    await page.goto(site(label) + path, { waitUntil: 'commit' });
    await expect(page.getByRole('main')).toContainText(shows);
    // With the brand's colours.
    const colour = (name: string) =>
      page.evaluate(needed => getComputedStyle(document.documentElement).getPropertyValue(needed), name);
    const boot = await page.evaluate(() => document.getElementById('boot')?.textContent ?? '');
    const { theme } = JSON.parse(boot) as { theme: { accent: string } };
    expect(await colour('--accent')).toBe(theme.accent);
    await page.evaluate(() => {
      Object.assign(window, { drawn: document.querySelector('#main') });
    });

    releaseScripts();
    await waitForHydration(page);
    const same = () =>
      page.evaluate(() => (window as never as { drawn: Element }).drawn === document.querySelector('#main'));
    expect(await same()).toBe(true);
    expect(await colour('--accent')).toBe(theme.accent);
    await page.waitForLoadState('networkidle');
    expect(
      await page.evaluate(() => (window as never as { shifts: { sum: number } }).shifts.sum),
    ).toBeLessThan(0.02);
    const pictures = fetched.filter(url => url.includes('/img/'));
    expect(pictures.filter((url, place) => pictures.indexOf(url) !== place)).toEqual([]);
  });
}

test('text typed into the join form before hydration stays, and so does the focus', async ({ page }) => {
  const releaseScripts = await holdScripts(page);
  await page.goto(`${site('mcfunny')}/login?ext_ref=early`, { waitUntil: 'commit' });
  const field = page.locator('input[name=msisdn]');
  await field.fill('81234');
  await field.focus();
  await page.getByRole('checkbox').check();
  await field.focus();
  const element = await field.elementHandle();
  releaseScripts();
  await waitForHydration(page);
  expect(await element?.evaluate(each => each.isConnected && each === document.activeElement)).toBe(true);
  await page.keyboard.type('5678');
  await expect(field).toHaveValue('812345678');
  await expect(page.getByRole('checkbox')).toBeChecked();
});

test('letters typed into the search field before hydration are searched', async ({ page }) => {
  const releaseScripts = await holdScripts(page);
  await page.goto(`${site('mcfunny')}/search`, { waitUntil: 'commit' });
  const field = page.getByRole('searchbox');
  await field.fill('pear');
  releaseScripts();
  await waitForHydration(page);
  await expect(page.getByText(/^\d+ found/)).toBeVisible();
  await expect(field).toHaveValue('pear');
});

async function withoutScripts(browser: Browser, visit: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false, serviceWorkers: 'block' });
  await visit(await context.newPage());
  await context.close();
}

test('joining works without scripts, up to the operator’s page', async ({ browser }) => {
  await withoutScripts(browser, async page => {
    await page.goto(`${site('ttmbhatv')}/ttlogin?ext_ref=plain`);
    await page.locator('input[name=msisdn]').fill(newNumber());
    await page.getByRole('button', { name: 'JOIN' }).click();
    await expect(page.getByRole('button', { name: 'Decline' })).toBeVisible();
    expect(new URL(page.url()).hostname).not.toContain('ttmbhatv');
  });
});

test('an invalid number returns the form with the error and the typed number', async ({ browser }) => {
  await withoutScripts(browser, async page => {
    await page.goto(`${site('mcfunny')}/login`);
    await page.locator('input[name=msisdn]').fill('12');
    await page.getByRole('button', { name: 'JOIN' }).click();
    await expect(page.getByRole('alert')).toContainText(/\w/);
    await expect(page.locator('input[name=msisdn]')).toHaveValue('12');
  });
});

test('Go Back opens the front page without scripts', async ({ browser }) => {
  await withoutScripts(browser, async page => {
    await page.goto(`${site('memeworld')}/terms`);
    await page.getByRole('button', { name: 'Go Back' }).first().click();
    await page.waitForURL(`${site('memeworld')}/`);
    await expect(page.getByRole('main')).toContainText('Click on a meme to get started now!');
  });
});

/** Every script but the one in the page, which records early taps. */
const HYDRATION_SCRIPTS = /assets\/.*\.js/;

test('taps before hydration are replayed once after it', async ({ page }) => {
  const releaseScripts = await holdScripts(page, HYDRATION_SCRIPTS);
  await page.goto(`${site('mcfunny')}/`, { waitUntil: 'commit' });
  const front = page.locator('.deck-card[data-depth="0"]');
  await expect(front).toContainText('Comedian');
  const skip = page.getByRole('button', { name: 'Skip: next card' });
  await expect
    .poll(async () => {
      await skip.tap();
      return skip.getAttribute('data-tapped');
    })
    .toBe('');
  await skip.tap();
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await expect(front, 'not yet').toContainText('Comedian');
  releaseScripts();
  await waitForHydration(page);
  await expect(front).toHaveAttribute('aria-label', 'How to use the site');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.locator('[data-tapped]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Close menu' }).tap();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
});

test('a page that loads slowly shows a progress bar', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/`);
  await expect(page.locator('.deck-card').first()).toBeVisible();
  let releaseScripts: () => void = () => undefined;
  const held = new Promise<void>(done => {
    releaseScripts = done;
  });
  await page.route(/assets\/leave\./, async route => {
    await held;
    await route.continue();
  });
  const progress = page.getByRole('progressbar', { name: 'Loading the page' });
  await expect(progress).toHaveCount(0);
  await page.getByRole('link', { name: 'Want to unsubscribe' }).tap();
  await expect(progress).toBeAttached();
  await expect
    .poll(() => progress.evaluate(each => Number(getComputedStyle(each).opacity)))
    .toBeGreaterThan(0.9);
  await page.screenshot({ path: 'test-results/mcfunny-progress.png' });
  releaseScripts();
  await expect(page.getByRole('heading', { level: 1, name: 'Your subscription' })).toBeVisible();
  await expect(progress).toHaveCount(0);
});

for (const saves of [false, true])
  test(`touching a link fetches ${saves ? 'nothing with Save-Data' : 'the code and the data of its page'}`, async ({
    page,
    context,
  }) => {
    if (saves) {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
    }
    await page.goto(`${site('memeworld')}/`);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Browse Category' }).tap();
    const fetched: string[] = [];
    page.on('request', request => fetched.push(new URL(request.url()).pathname));
    const { down, cancel } = await touchInput(page);
    const link = page.locator('.menu-large a').first();
    await down(await centerOf(link));
    const both = () =>
      ['/assets/meme-category.', '/api/meme/getMemeValue/'].map(start =>
        fetched.some(path => path.startsWith(start)),
      );
    if (saves) {
      await page.waitForTimeout(1000);
      expect(both()).toEqual([false, false]);
    } else await expect.poll(both).toEqual([true, true]);
    expect(new URL(page.url()).pathname).toBe('/');
    await cancel();
    await link.tap();
    await page.waitForURL(/\/memeCategory\//);
    // The cards of the home page stay until the category's replace them.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.locator('.meme-card').first()).toBeVisible();
    const calls = () => fetched.filter(path => path.startsWith('/api/meme/getMemeValue/')).length;
    await expect.poll(calls).toBe(1);
  });
