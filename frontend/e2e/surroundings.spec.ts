/** Browsers without what pages like to have: storage that throws, no service worker, no IndexedDB and no Cache Storage. */
import { expect } from '@playwright/test';
import { expectPlaying, newNumber, site, test } from './visit';

/** As where all storage is blocked, or an application shows the page in a window of its own. */
const withoutStorage = () => {
  const refuse = () => {
    throw new DOMException('Refused', 'SecurityError');
  };
  // about:blank, where the fixture runs before the page, has none of these.
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get: refuse });
  Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: refuse });
};

for (const { label, form, home, list, video } of [
  {
    label: 'mcfunny',
    form: '/login',
    home: '/redirect',
    list: '/allvideos/1/MC%20Funny/1',
    video: /\/video\/\d+\//,
  },
  { label: 'ttmbhatv', form: '/ttlogin', home: '/ttredirect', list: '', video: /\/ttsingle\/\d+\// },
])
  test(`${label}: without storage and service worker one joins, watches and leaves`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true });
    const page = await context.newPage();
    const failed: string[] = [];
    page.on('pageerror', error => failed.push(error.message));
    await page.addInitScript(withoutStorage);
    await page.goto(site(label) + form);
    await page.locator('input[name=msisdn]').fill(newNumber());
    await page.getByRole('button', { name: 'JOIN' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(url => url.pathname === home && /result=active/i.test(url.search));
    if (list) await page.goto(site(label) + list);
    await page.locator('main .video-card').first().click();
    await page.waitForURL(video);
    await expectPlaying(page);
    await page.goto(`${site(label)}/subscription`);
    await page.getByRole('button', { name: 'Unsubscribe now' }).click();
    await expect(page.getByText('You have left').first()).toBeVisible();
    expect(failed).toEqual([]);
    await context.close();
  });
