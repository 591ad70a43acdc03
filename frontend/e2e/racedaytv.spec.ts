import { expect } from '@playwright/test';
import { holds, onlyRefused, site, test, withoutReplies } from './visit';
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

test('racedaytv: one banner, which does not slide', async ({ page }) => {
  await page.goto(`${site('racedaytv')}/`);
  const banner = page.getByRole('region', { name: 'Raceday TV highlights' });
  await holds('VOD: a single banner for the racing service', async () => {
    await expect(banner.getByRole('listitem')).toHaveCount(1);
    await expect(banner.getByRole('button')).toHaveCount(0);
  });
});

test('racedaytv: the service’s name in any case asks for raceday', async ({ page }) => {
  await withoutReplies(page);
  await holds('Service names: racedaytv in any case asks for raceday', async () => {
    for (const name of ['racedaytv', 'RaceDayTV']) {
      const asked = page.waitForRequest('**/api/tt/getcatvideos/*');
      await page.goto(`${site('racedaytv')}/ttredirect?service=${name}&msisdn=&result=Active`);
      expect(new URL((await asked).url()).pathname).toBe('/api/tt/getcatvideos/raceday');
    }
  });
});

test('racedaytv: a try that the network does not confirm leads to the front page', async ({
  page,
  mishaps,
}) => {
  const back = `${site('racedaytv')}/DoiRedirect?msisdn=27812345678&subscription_id=x&ext_ref=y`;
  await holds('Check, another result: /', async () => {
    await page.route('**/api/subscribe/check-sub**', route => route.fulfill({ json: { result: 0 } }));
    await page.goto(back);
    await page.waitForURL(`${site('racedaytv')}/`);
  });
  await holds('Check, an error: /', async () => {
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
  onlyRefused(mishaps, '503');
});
