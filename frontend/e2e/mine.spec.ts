/** The visitor's own page: the receipt of each day, and "I did not want this", by touch. */
import { expect, type Page } from '@playwright/test';
import { checkScreens, expectPlaying, join, screenshot, site, test } from './visit';

const NOT_WANTED = 'I did not want this';

/** Joins, and waits until the first charge is made. */
async function joined(page: Page): Promise<void> {
  await join({
    page,
    label: 'mcfunny',
    form: '/login',
    home: '/redirect',
    leads: 'Check, result 1: /redirect on mcfunny',
  });
  const total = () =>
    page.evaluate(async () => (await (await fetch('/api/subscribe/me')).json()).total_cents as number);
  await expect.poll(total).toBe(300);
}

test('a charge is given back by one tap, once, and the receipt says so', async ({ page }) => {
  await joined(page);
  await page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name: 'Mine' }).tap();
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible();
  await expect(page.getByText(/^R3 charged by /)).toBeVisible();
  await expect(page.locator('blockquote')).toContainText('R3/day');
  await checkScreens(page, 'mine');
  await page.setViewportSize({ width: 320, height: 568 });
  await page.getByRole('button', { name: NOT_WANTED }).tap();
  await expect(page.getByText(/^R3 is given back\./)).toBeVisible();
  await expect(page.getByText(/^R3 (is being )?given back by /)).toHaveCount(1);
  await screenshot(page, 'mine-320');
  await page.reload();
  await expect(page.getByText(/^R3 is given back\./)).toBeVisible();
  await expect(page.getByRole('button', { name: NOT_WANTED })).toHaveCount(0);
});

test('after a film, its day shows it with its MB, and a complaint is a case', async ({ page }) => {
  await joined(page);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expectPlaying(page);
  const title = await page.locator('main h1').textContent();
  await page.locator('video').evaluate((film: HTMLVideoElement) => {
    film.pause();
    film.currentTime = 3.2;
  });
  await expect
    .poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.seeking))
    .toBe(false);
  await page.goto(`${site('mcfunny')}/mine`);
  await expect(page.getByRole('region', { name: 'Continue watching' })).toContainText(title ?? '');
  await expect(page.getByText(/^Watched on this phone: \d+\.\d MB/)).toBeVisible();
  await expect(page.locator('.receipt-watched').getByRole('link')).toHaveText(title ?? '');
  await page.getByRole('button', { name: NOT_WANTED }).tap();
  await expect(page.getByText(/^A person looks at it\. Your case is number \d+; call 080/)).toBeVisible();
});
