/** Joining without typing, by the number of the phone's SIM: with and without scripts, at the demo's network that tells it. */
import { expect, type Page } from '@playwright/test';
import { expectNoAxeFindings, newNumber, site, test } from './visit';

/** The network's own site: the sandbox. */
const NETWORK = `http://localhost:${Number(process.env.E2E_PORT ?? '8080') + 10}`;
const FORM = `${site('memeworld')}/memelogin?ext_ref=sim`;
const BUTTON = /^Use the number of this SIM · Protea Cellular · R3\/day/;

/** A number of the network's range that no test has used in the last hours. */
const numberOfNetwork = () => newNumber().replace(/^27\d{3}/, '27721');

/** Opens an address without waiting for hydration, which there is none of without scripts. */
const go = (page: Page, address: string) => page.goto(address, { waitUntil: 'load' });

/** Puts the SIM of a number into the browser; empty: there is no mobile data. */
async function putSim(page: Page, number: string): Promise<void> {
  await go(page, `${NETWORK}/sim`);
  await page.getByRole('textbox').fill(number);
  await page.getByRole('button', { name: 'Put in' }).click();
  await expect(page.getByText(number ? 'with the SIM of' : 'not on mobile data')).toBeVisible();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test.afterEach(({ pageErrors }) => {
      // The gateway sends preload headers for scripts; a browser without scripts logs that it does not fetch them.
      if (!javaScriptEnabled)
        pageErrors.push(...pageErrors.splice(0).filter(each => !/^csp .*\/assets\//.test(each)));
    });

    test('memeworld: a SIM joins in one tap, and leaves', async ({ page }) => {
      const number = numberOfNetwork();
      await putSim(page, number);
      await go(page, FORM);
      const button = page.getByRole('link', { name: BUTTON });
      await expect(button).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      await page.screenshot({ path: `test-results/sim-join-${javaScriptEnabled}.png`, fullPage: true });
      if (javaScriptEnabled) await expectNoAxeFindings(page);

      const addresses: string[] = [];
      page.on('request', request => addresses.push(request.url()));
      await button.click();
      await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
      await expect(page.getByText(`27••••••${number.slice(8)}`)).toBeVisible();
      expect(addresses.some(address => address.includes('/oauth2/authorize'))).toBe(true);
      expect(addresses.filter(address => address.includes(number.slice(2)))).toEqual([]);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL(
        url => url.pathname === '/redirectTo' && url.searchParams.get('result') === 'active',
      );
      await expect(page.getByRole('complementary', { name: /^(Join|Confirm it's you)$/ })).toHaveCount(0);

      await page.getByRole('link', { name: 'Want to unsubscribe' }).click();
      await expect(page.locator('.facts')).toContainText('active');
      await page.getByRole('button', { name: 'Unsubscribe now' }).click();
      await expect(page.getByRole('main')).toContainText('You have left MEMEWORLD');
    });

    test('memeworld: without mobile data the form says so, and typing goes on', async ({ page }) => {
      await putSim(page, '');
      await go(page, FORM);
      await page.getByRole('link', { name: BUTTON }).click();
      await page.waitForURL(
        url => url.pathname === '/memelogin' && url.searchParams.get('sim') === 'unknown',
      );
      await expect(page.getByRole('alert')).toContainText('could not read the number of this SIM');
      expect(new URL(page.url()).searchParams.get('ext_ref')).toBe('sim');
      await page.screenshot({ path: `test-results/sim-unknown-${javaScriptEnabled}.png`, fullPage: true });
      await page.locator('input[name=msisdn]').fill(newNumber());
      await page.getByRole('button', { name: 'JOIN' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL(
        url => url.pathname === '/redirectTo' && url.searchParams.get('result') === 'active',
      );
    });
  });
}
