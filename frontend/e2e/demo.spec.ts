/** The demo hosts: every site under other host names. */
import { expect } from '@playwright/test';
import { prove, site, test } from './visit';

test('a demo prefix changes nothing but the host', async ({ page }) => {
  await prove('A demo host: the site of the first label without its demo prefix', async () => {
    for (const [label, shows] of [
      ['demo-memeworld', 'Click on a meme to get started now!'],
      ['demomcfunny', 'HOW TO USE THE SITE:'],
      ['demo-diski99', 'Swipe right if you like what you see.'],
    ] as const) {
      await page.goto(`${site(label)}/`);
      await expect(page.getByRole('main')).toContainText(shows);
      expect(new URL(page.url()).hostname).toBe(`${label}.localhost`);
    }
  });
});

test('the host 88 shows the site of its domain parameter, also on further pages and after a reload', async ({
  page,
}) => {
  await prove('A demo host whose label is 88: the site of the query parameter domain', async () => {
    await page.goto(`${site('88')}/?domain=ttmbhatv`);
    await expect(page.getByRole('link', { name: 'TTMbha TV, home' })).toBeVisible();
    await page.goto(`${site('88')}/?domain=memeworld`);
    await expect(page.getByText('Click on a meme to get started now!')).toBeVisible();
    await page.getByRole('button', { name: 'Browse Category' }).click();
    await page.locator('.menu-large a').first().click();
    await page.waitForURL(url => url.pathname.startsWith('/memeCategory/1/'));
    expect(new URL(page.url()).searchParams.get('domain')).toBe('memeworld');
    await expect(page.locator('.meme-card').first()).toBeVisible();
    await page.reload();
    await expect(page.getByRole('link', { name: 'MEMEWORLD, home' })).toBeVisible();
    await expect(page.locator('.meme-card').first()).toBeVisible();
  });
});
