/** The sites in every language: choosing one, a whole subscription, and a made-up longer language on the narrowest phones. */
import { expect, type Page } from '@playwright/test';
import { PSEUDO, readLanguages } from '../scripts/languages.js';
import { SINCE } from '../src/sites/features/legal/sections';
import {
  clippedText,
  expectNoAxeFindings,
  expectPlaying,
  newNumber,
  openAsTestNumber,
  site,
  test,
} from './visit';

type Texts = Record<string, string>;
type Language = { code: string; name: string; messages: Texts; terms: Texts };
const languages = readLanguages() as Language[];

/** A message, filled in. */
const filled = ({ messages }: Language, id: string, values: Record<string, string> = {}): string =>
  (messages[id] ?? '').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

const TV = { label: 'ttmbhatv', form: '/ttlogin', name: 'TTMbha TV' };

/** Joins by the form that is open, up to the brand's home. */
async function join(page: Page, language: Language): Promise<void> {
  await page.locator('input[name=msisdn]').fill(newNumber());
  await page.getByRole('button', { name: filled(language, 'JOIN'), exact: true }).click();
  // The network's page.
  await expect(page.locator('html')).toHaveAttribute('lang', `${language.code}-ZA`);
  await expect(page.getByText('R3.00')).toBeVisible();
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await widthOf(page)).toBeLessThanOrEqual(width);
    expect(await clippedText(page)).toEqual([]);
    await page.screenshot({ path: `test-results/network-${language.code}-${width}.png`, fullPage: true });
  }
  await page.locator('button[value=confirm]').click();
  await page.waitForURL(url => url.pathname === '/ttredirect' && url.searchParams.get('result') === 'active');
}

/** Leaves on the page that the footer's link opens. */
async function leave(page: Page, language: Language): Promise<void> {
  await page.getByRole('link', { name: filled(language, 'want-to-unsubscribe') }).click();
  await expect(page.getByRole('heading', { name: filled(language, 'your-subscription') })).toBeVisible();
  await expect(page.getByText(filled(language, 'state-active'), { exact: true })).toBeVisible();
  await page.getByRole('button', { name: filled(language, 'unsubscribe-now') }).click();
  await expect(page.getByText(filled(language, 'left', { name: TV.name }), { exact: true })).toBeVisible();
}

for (const language of languages) {
  const { code, name } = language;
  test(`${name}: chosen on the join form, then join, watch and leave`, async ({ page }) => {
    await page.goto(`${site(TV.label)}${TV.form}`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    const list = page.getByRole('banner').getByRole('combobox');
    const response = page.waitForResponse(reply => reply.request().isNavigationRequest());
    if (code === 'en') await page.reload();
    else await list.selectOption({ label: name });
    expect((await response).headers()['content-language']).toBe(code);
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await expect(page).toHaveTitle(`${filled(language, 'join-site', { name: TV.name })} · ${TV.name}`);
    await expect(list).toHaveValue(code);
    await expect(page.getByText(filled(language, 'how-to-stop')).first()).toBeVisible();
    expect(await widthOf(page)).toBeLessThanOrEqual(360);

    await join(page, language);
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await page.getByRole('main').locator('a.video-card:visible').first().click();
    await expect(page.getByText(filled(language, 'views'))).toBeVisible();
    await expect(page.getByRole('button', { name: filled(language, 'share'), exact: true })).toBeVisible();
    await expectPlaying(page);
    expect(await widthOf(page)).toBeLessThanOrEqual(360);
    await leave(page, language);
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });
    // The gateway sends preload headers for scripts; a browser without scripts logs that it does not fetch them.
    test.afterEach(({ pageErrors }) => {
      pageErrors.push(...pageErrors.splice(0).filter(each => !/^csp .*\/assets\//.test(each)));
    });

    test(`${name}: chosen by a button, then join, watch and leave`, async ({ page }) => {
      await page.goto(`${site(TV.label)}${TV.form}?ext_ref=x`, { waitUntil: 'load' });
      const list = page.getByRole('banner').locator('.language-form');
      await list.getByRole('combobox').selectOption({ label: name });
      await list.getByRole('button').click();
      await page.waitForURL(`**${TV.form}?ext_ref=x`);
      await expect(page.locator('html')).toHaveAttribute('lang', code);
      await expect(page.getByText(filled(language, 'agreed'))).toBeVisible();
      expect(await widthOf(page)).toBeLessThanOrEqual(360);

      await join(page, language);
      await page.locator('.carousel-head h2 a').first().click();
      await page.locator('.video-card').first().click();
      await expect(page.getByText(filled(language, 'views'))).toBeVisible();
      await expect(page.locator('video')).toHaveAttribute('src', /^\/media\//);
      expect(await widthOf(page)).toBeLessThanOrEqual(360);
      await leave(page, language);
    });
  });
}

test('a language that is chosen before the application has loaded is shown', async ({ page }) => {
  await page.route('**/assets/app.*.js', () => undefined);
  await page.goto(`${site('mcfunny')}/login`, { waitUntil: 'commit' });
  const list = page.getByRole('banner').getByRole('combobox');
  await expect(list).toHaveValue('en');
  // bootstrap.js has run.
  await page.waitForFunction(() => document.querySelector('link[rel=manifest]'));
  await list.selectOption('zu');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zu');
  await expect(page.getByRole('button', { name: 'JOYINA' })).toBeVisible();
});

test('an error of the service is in the chosen language', async ({ page, context, pageErrors }) => {
  await context.addCookies([{ name: 'language', value: 'zu', url: site(TV.label) }]);
  await page.goto(`${site(TV.label)}${TV.form}`);
  await page.locator('input[name=msisdn]').fill('12');
  await page.getByRole('button', { name: 'JOYINA', exact: true }).click();
  await expect(page.getByText('Leyo akuyona inombolo yeselula yaseNingizimu Afrika.')).toBeVisible();
  expect(pageErrors.splice(0).filter(each => !/\/api\/subscribe/.test(each))).toEqual([]);
});

test.describe('a browser in isiZulu', () => {
  test.use({ locale: 'zu-ZA' });

  test('shows isiZulu without a choice, and downloads no other language', async ({ page }) => {
    const files: string[] = [];
    page.on('request', request => {
      const [, code] = /\/messages-([\w-]+)\./.exec(request.url()) ?? [];
      if (code) files.push(code);
    });
    await page.goto(`${site('memeworld')}/`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'zu');
    const zulu = languages.find(({ code }) => code === 'zu') as Language;
    await expect(page.getByText(filled(zulu, 'meme-start'))).toBeVisible();
    await page.getByRole('link', { name: filled(zulu, 'search'), exact: true }).click();
    await expect(page.getByRole('searchbox')).toHaveAttribute('placeholder', filled(zulu, 'search-memes'));
    expect(files).toEqual(['zu']);
  });
});

/** Opens the demo's translated records in a language and the English ones after them, from the same caches. */
async function expectTranslated(open: (language: string) => Promise<Page>): Promise<void> {
  const texts = {
    zu: {
      row: 'Ikhishi',
      card: 'Isango eliluhlaza',
      category: 'Ukucishwa kukagesi',
      video: 'Itekisi yokugcina',
    },
    en: { row: 'Kitchen', card: 'The Blue Gate', category: 'Load Shedding', video: 'The Last Taxi' },
    af: { row: 'Kombuis', card: 'Die blou hek', category: 'Beurtkrag', video: 'Die laaste taxi' },
  };
  for (const [language, { row, card, category, video }] of Object.entries(texts)) {
    const page = await open(language);
    await page.goto(`${site('ttmbhatv')}/`);
    await expect(page.getByRole('heading', { name: row }), language).toBeVisible();
    await expect(page.getByRole('link', { name: card }).first()).toBeVisible();
    // A title is found in any of its languages.
    for (const query of ['isango eliluhlaza', 'blue gate']) {
      await page.goto(`${site('ttmbhatv')}/search?q=${encodeURIComponent(query)}`);
      await expect(page.getByRole('main').getByRole('link', { name: card }).first(), query).toBeVisible();
    }
    await page.goto(`${site('memeworld')}/memeCategory/1/1/memeworld`);
    await expect(page.getByRole('heading', { name: category })).toBeVisible();
    await page.goto(`${site('mcfunny')}/search?q=taxi`);
    await expect(page.getByRole('main').getByRole('link', { name: video }).first()).toBeVisible();
    await page.context().close();
  }
}

for (const javaScriptEnabled of [true, false])
  test(`titles and categories are in the visitor's language ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    browser,
  }) => {
    await expectTranslated(async language => {
      const context = await browser.newContext({
        locale: `${language}-ZA`,
        javaScriptEnabled,
        serviceWorkers: 'block',
      });
      return context.newPage();
    });
  });

test.describe('the cached page', () => {
  test.use({ serviceWorkers: 'allow' });

  test('is in the chosen language', async ({ page, context, pageErrors }) => {
    await page.goto(`${site('memeworld')}/subscription`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    const shells = () =>
      page.evaluate(async () => {
        const languages: string[] = [];
        for (const name of await caches.keys())
          if (name.startsWith('shell'))
            for (const request of await (await caches.open(name)).keys()) {
              const text = await (await caches.match(request))?.text();
              languages.push(/<html lang="([\w-]+)"/.exec(text ?? '')?.[1] ?? '');
            }
        return languages;
      });
    await expect.poll(shells).toEqual(['en']);
    await page.getByRole('combobox').selectOption('zu');
    await expect(page.locator('html')).toHaveAttribute('lang', 'zu');
    await expect.poll(shells).toEqual(['zu']);
    await context.setOffline(true);
    await page.reload();
    const zulu = languages.find(({ code }) => code === 'zu') as Language;
    await expect(page.getByRole('heading', { name: filled(zulu, 'other-ways') })).toBeVisible();
    const expected = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|\/api\/subscribe\/me/;
    expect(pageErrors.splice(0).filter(each => !expected.test(each))).toEqual([]);
  });
});

/** Every kind of page, by label. */
const PAGES: Record<string, string[]> = {
  mcfunny: [
    '/',
    '/login',
    '/allvideos/1/MC%20Funny/1',
    '/video/1/MC%20Funny/1',
    '/search',
    '/feed',
    '/terms',
  ],
  diski99: ['/', '/diskilogin', '/artistvideos/1/diski99/1', '/diskisingle/1/diski99/1', '/search?q=xqzxqz'],
  memeworld: ['/', '/memelogin', '/memeCategory/1/1/memeworld', '/search?q=a', '/nowhere/at/all'],
  ttmbhatv: [
    '/',
    '/ttlogin',
    '/ttcategory/1/ttmbhatv',
    '/ttsingle/1/ttmbhatv',
    '/watchlist',
    '/subscription',
    '/ttbhaTerms',
  ],
  racedaytv: ['/', '/racedaylogin', '/raceday-terms', '/raceday-terms/en'],
};

test('the page with all brands says in each language what they are about, at 320 px', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const front = site('x').replace('x.', '');
  for (const { code, messages } of languages) {
    await context.addCookies([{ name: 'language', value: code, url: front }]);
    // A page without the application.
    await page.goto(`${front}/`, { waitUntil: 'load' });
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    const lines = await page.locator('li span:first-of-type').allTextContents();
    const ofKinds = ['about-comedy', 'about-meme', 'about-diski', 'about-tt'].map(id => messages[id] ?? '');
    expect(lines).toEqual(expect.arrayContaining(ofKinds));
    expect(new Set(lines).size, 'racing has a line of its own').toBe(ofKinds.length + 1);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(320);
    await page.screenshot({ path: `test-results/directory-${code}.png` });
  }
  await page.getByRole('link', { name: 'diski99' }).tap();
  await page.waitForURL(`${site('diski99')}/`);
});

for (const [label, addresses] of Object.entries(PAGES))
  test(`${label}: every page fits 320 px in a longer language`, async ({ page, context }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await context.addCookies([{ name: 'language', value: PSEUDO, url: site(label) }]);
    for (const address of addresses)
      await test.step(address, async () => {
        await page.goto(site(label) + address);
        await expect(page.locator('html')).toHaveAttribute('lang', PSEUDO);
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(320);
        await expect.poll(() => clippedText(page)).toEqual([]);
        await page.screenshot({ path: `test-results/long-${label}${address.replace(/\W+/g, '-')}.png` });
      });
    // The menu of phones.
    await page.goto(`${site(label)}/`);
    const toggle = page.locator('.site-header-toggle');
    await toggle.click();
    await expect(page.locator('.site-nav[data-open=true]')).toBeVisible();
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(320);
    await expect.poll(() => clippedText(page)).toEqual([]);
  });

test('a subscription and a watchlist fit 320 px in a longer language', async ({ page, context }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await context.addCookies([{ name: 'language', value: PSEUDO, url: site('racedaytv') }]);
  await openAsTestNumber(page, 'racedaytv', '/ttredirect', 'raceday');
  const film = await page.locator('a.video-card').first().getAttribute('href');
  for (const address of ['/subscription', '/watchlist', String(film), '/feed']) {
    await page.goto(site('racedaytv') + address);
    await expect(page.locator('.skeleton:visible, .leave-skeleton')).toHaveCount(0);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(320);
    await expect.poll(() => clippedText(page)).toEqual([]);
  }
});

/** The terms of each brand that has its own, and the id of their title. */
const TERMS = [
  ['memeworld', '/terms', 'title'],
  ['ttmbhatv', '/ttbhaTerms', 'title-vod'],
  ['racedaytv', '/raceday-terms', 'title-racing'],
] as const;

/** Expects the terms in a language, whole and no wider than the phone. */
async function expectTerms(page: Page, { code, messages, terms }: Language, title: string): Promise<void> {
  const article = page.locator('article');
  await expect(article).toHaveAttribute('lang', code);
  await expect(article.getByRole('heading', { level: 1 })).toHaveText(terms[title] ?? '');
  await expect(article.getByRole('heading', { level: 2 })).toHaveCount(10);
  // The month in the same language.
  const [year, month, day] = SINCE.split('-').map(Number);
  await expect(article).toContainText(`${day} ${messages.months?.split(' ')[(month ?? 0) - 1]} ${year}`);
  await expect(article).toContainText((terms['price-once'] ?? '').slice(0, 60));
  await expect(article).not.toContainText('{');
  await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(320);
  expect(await clippedText(page)).toEqual([]);
}

const english = languages[0] as Language;

for (const scripts of [true, false])
  test.describe(`the terms, ${scripts ? 'with' : 'without'} scripts`, () => {
    test.use({ javaScriptEnabled: scripts, viewport: { width: 320, height: 568 } });
    test.afterEach(({ pageErrors }) => {
      if (!scripts) pageErrors.push(...pageErrors.splice(0).filter(each => !/^csp .*\/assets\//.test(each)));
    });

    for (const language of languages)
      test(`in ${language.name}, whose page also shows the English text`, async ({ page, context }) => {
        const { code, name, terms } = language;
        const files: string[] = [];
        page.on('request', request => {
          const [, file] = /\/terms-([\w-]+)\./.exec(request.url()) ?? [];
          if (file) files.push(file);
        });
        for (const [label, address, title] of TERMS) {
          await context.addCookies([{ name: 'language', value: code, url: site(label) }]);
          await page.goto(site(label) + address, scripts ? undefined : { waitUntil: 'load' });
          await expect(page.locator('html')).toHaveAttribute('lang', code);
          await expectTerms(page, language, title);
          await expect(page.getByText(terms.translation ?? '')).toHaveCount(code === 'en' ? 0 : 1);
          await page.screenshot({ path: `test-results/terms-${label}-${code}-${scripts}.png` });
        }
        expect(files).toEqual(scripts ? TERMS.map(() => code) : []);
        if (scripts) await expectNoAxeFindings(page);
        if (code === 'en') return;

        await page.getByRole('link', { name: terms['show-english'] }).click();
        await page.waitForURL('**/raceday-terms/en');
        await expectTerms(page, english, 'title-racing');
        // The rest of the page stays in the visitor's language.
        await expect(page.locator('html')).toHaveAttribute('lang', code);
        await expect(page.getByText(terms.translation ?? '')).toHaveCount(0);
        if (scripts) await expectNoAxeFindings(page);
        await page.getByRole('main').getByRole('link', { name }).click();
        await page.waitForURL('**/raceday-terms');
        await expectTerms(page, language, 'title-racing');
      });
  });

test('a language that is chosen on the terms changes them', async ({ page }) => {
  await page.goto(`${site('memeworld')}/terms`);
  await expect(page.getByRole('combobox'), 'one list of languages').toHaveCount(1);
  await page.getByRole('combobox').selectOption('st');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dipehelo le Maemo');
});

test.describe('the terms of a phone in isiXhosa', () => {
  test.use({ locale: 'xh-ZA', serviceWorkers: 'allow' });

  test('open offline after a visit of another page', async ({ page, context, pageErrors }) => {
    await page.goto(`${site('memeworld')}/subscription`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    // The terms, and the shell of every address.
    const kept = () =>
      page.evaluate(async () => {
        const addresses: string[] = [];
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
        return [addresses.includes('/shell'), addresses.some(each => each.includes('/terms-xh.'))];
      });
    await expect.poll(kept).toEqual([true, true]);
    await context.setOffline(true);
    await page.getByRole('contentinfo').getByRole('link').first().click();
    const xhosa = languages.find(({ code }) => code === 'xh') as Language;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(xhosa.terms.title ?? '');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(xhosa.terms.title ?? '');
    const expected = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|\/api\/subscribe\/me/;
    expect(pageErrors.splice(0).filter(each => !expected.test(each))).toEqual([]);
  });
});
