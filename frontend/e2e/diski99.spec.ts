import { expect } from '@playwright/test';
import {
  accessible,
  expectGate,
  expectPlaying,
  join,
  pastHowTo,
  shot,
  swipe,
  test,
  watchIcons,
} from './visit';

test('diski99: join, swipe right, watch', async ({ page, browser }) => {
  await join({ page, label: 'diski99', form: '/diskilogin', home: '/doRedirect' });
  await pastHowTo(page);
  await shot(page, 'diski99-home');
  await accessible(page);

  const icons = await watchIcons(page);
  await swipe(page, 'right');
  await page.waitForURL(/\/artistvideos\/\d+\/diski99\/1/);
  expect(await icons()).toEqual(['right']);
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
