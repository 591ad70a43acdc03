import { expect } from '@playwright/test';
import { accessible, join, shot, test } from './visit';

test('memeworld: join, like, and find the like again', async ({ page }) => {
  await join({ page, label: 'memeworld', form: '/memelogin', home: '/redirectTo' });
  const first = page.locator('.meme-card').first();
  await expect(first).toBeVisible();
  // A picture that is really there, not a broken frame.
  await expect
    .poll(() => first.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(50);
  await shot(page, 'memeworld-home');
  await accessible(page);

  // In a category, because its memes are the same after a reload; the home draws new ones.
  await page.getByRole('button', { name: 'Browse Category' }).click();
  await page.locator('.menu-large a').first().click();
  await page.waitForURL(/\/memeCategory\/1\/\d+\/memeworld/);
  const like = page.locator('.like').first();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveText('1');
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await shot(page, 'memeworld-category');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
});
