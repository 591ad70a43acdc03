import { expect } from '@playwright/test';
import { expectOnlyRefused, prove, removeEmbeddedReplies, site, test } from './visit';
import { vodSite } from './vod';

vodSite({
  label: 'racedaytv',
  name: 'Raceday TV',
  service: 'raceday',
  form: '/racedaylogin',
  terms: '/raceday-terms',
  categories: ['Live Races', 'Replays'],
  says: {
    root: '/ on racedaytv is the video-on-demand home',
    form: '/racedaylogin is the join form of the racing site',
    words: 'Join, racing: "Watch unlimited videos" and "ENTER YOUR NUMBER AND JOIN"',
    check: 'Check, result 1: /ttredirect on racedaytv',
    terms: '/raceday-terms are the terms of the racing site',
    privacy: 'VOD footer, racing: the privacy policy is /raceday-terms',
  },
});

test('racedaytv: one banner without a slider', async ({ page }) => {
  await page.goto(`${site('racedaytv')}/`);
  const banner = page.getByRole('region', { name: 'Raceday TV highlights' });
  await prove('VOD: a single banner for the racing service', async () => {
    await expect(banner.getByRole('listitem')).toHaveCount(1);
    await expect(banner.getByRole('button')).toHaveCount(0);
  });
});

test('racedaytv: the service name in any letter case requests raceday', async ({ page }) => {
  await removeEmbeddedReplies(page);
  await prove('Service names: racedaytv in any case asks for raceday', async () => {
    for (const name of ['racedaytv', 'RaceDayTV']) {
      const requested = page.waitForRequest('**/api/tt/getcatvideos/*');
      await page.goto(`${site('racedaytv')}/ttredirect?service=${name}&msisdn=&result=Active`);
      expect(new URL((await requested).url()).pathname).toBe('/api/tt/getcatvideos/raceday');
    }
  });
});

test('racedaytv: an unconfirmed join leads to the front page', async ({ page, pageErrors }) => {
  const back = `${site('racedaytv')}/DoiRedirect?msisdn=27812345678&subscription_id=x&ext_ref=y`;
  await prove('Check, another result: /', async () => {
    await page.route('**/api/subscribe/check-sub**', route => route.fulfill({ json: { result: 0 } }));
    await page.goto(back);
    await page.waitForURL(`${site('racedaytv')}/`);
  });
  await prove('Check, an error: /', async () => {
    await page.route('**/api/subscribe/check-sub**', route =>
      route.fulfill({ status: 503, json: { status: 503, error_message: 'Not for a visitor.' } }),
    );
    const logged = page.waitForEvent('console', message =>
      message.text().startsWith('Subscription check failed'),
    );
    await page.goto(back);
    await page.waitForURL(`${site('racedaytv')}/`);
    await logged;
    await expect(page.getByText('Not for a visitor.')).toHaveCount(0);
    await expect(page.locator('.Toastify__toast')).toHaveCount(0);
  });
  expectOnlyRefused(pageErrors, '503');
});
