import { expect } from '@playwright/test';
import { accessible, expectGate, expectPlaying, join, pastHowTo, shot, swipe, test } from './visit';

test('mcfunny: join, swipe right, watch', async ({ page, browser }) => {
  await join({ page, label: 'mcfunny', form: '/login', home: '/redirect' });
  await pastHowTo(page);
  await shot(page, 'mcfunny-home');
  await accessible(page);

  await swipe(page, 'right');
  await page.waitForURL(/\/allvideos\/\d+\/MC%20Funny\/1/);
  await page.locator('.video-card').first().click();
  await page.waitForURL(/\/video\/\d+\/MC%20Funny\/\d+/);
  await expectPlaying(page);
  await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
  await shot(page, 'mcfunny-player');
  await expectGate(browser, page.url());
});
