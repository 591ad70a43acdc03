import { expect } from '@playwright/test';
import { accessible, expectGate, expectPlaying, join, pastHowTo, shot, swipe, test } from './visit';

test('diski99: join, swipe right, watch', async ({ page, browser }) => {
  await join({ page, label: 'diski99', form: '/diskilogin', home: '/doRedirect' });
  await pastHowTo(page);
  await shot(page, 'diski99-home');
  await accessible(page);

  await swipe(page, 'right');
  await expect(page.locator('.deck-icon[data-icon="right"]')).toBeVisible();
  await page.waitForURL(/\/artistvideos\/\d+\/diski99\/1/);
  await page.locator('.video-card').first().click();
  await page.waitForURL(/\/diskisingle\/\d+\/diski99\//);
  await expectPlaying(page);
  await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
  await expect(page.locator('.related .video-card').first()).toHaveAttribute(
    'href',
    /\/diskisingle\/\d+\/diski99\/1$/,
  );
  await shot(page, 'diski99-player');
  await expectGate(browser, page.url());
});
