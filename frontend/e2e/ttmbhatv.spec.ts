import { expect } from '@playwright/test';
import { accessible, expectGate, expectPlaying, join, shot, test } from './visit';

test('ttmbhatv: join, watch, keep', async ({ page, browser }) => {
  await join({ page, label: 'ttmbhatv', form: '/ttlogin', home: '/ttredirect' });
  await expect(page.locator('.video-card').first()).toBeVisible();
  await shot(page, 'ttmbhatv-home');
  await accessible(page);

  await page.locator('.carousel .video-card').first().click();
  await page.waitForURL(/\/ttsingle\/\d+\/ttmbhatv/);
  await expectPlaying(page);
  await expect(page.getByText('Views (0)')).toBeVisible();
  await shot(page, 'ttmbhatv-player');

  const keep = page.getByRole('button', { name: 'Watchlist', exact: true });
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
  await expectGate(browser, page.url());
});
