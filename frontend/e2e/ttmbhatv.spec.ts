import { expect } from '@playwright/test';
import { holds, site, test } from './visit';
import { settings, vodSite } from './vod';

vodSite({
  label: 'ttmbhatv',
  name: 'TTMbha TV',
  service: 'ttmbhatv',
  form: '/ttlogin',
  terms: '/ttbhaTerms',
  categories: ['Drama', 'Kitchen'],
  says: {
    root: '/ on ttmbhatv is the video-on-demand home',
    form: '/ttlogin is the join form of the TT site, service id 152',
    words: 'Join, TT: "Watch unlimited videos" and "ENTER YOUR NUMBER AND JOIN"',
    check: 'Check, result 1: /ttredirect on ttmbhatv',
    terms: '/ttbhaTerms are the privacy policy and terms of the TT site',
    privacy: 'VOD footer, TT: the privacy policy is /ttbhaTerms',
  },
});

test('ttmbhatv: three banners that slide by themselves', async ({ page }) => {
  await page.goto(`${site('ttmbhatv')}/`);
  const banner = page.getByRole('region', { name: 'TTMbha TV highlights' });
  await holds('VOD: a slider of 3 banners for the TV service', () =>
    expect(banner.getByRole('listitem')).toHaveCount(3),
  );
  await holds(
    'Carousels are infinite only if more than 3 videos, move by themselves, 500 ms; the banner 800 ms',
    () => expect.poll(() => settings(banner)).toEqual({ speed: 800, loop: true, running: true }),
  );
});

test('ttmbhatv: JOIN waits for its answer, whatever the checkbox says', async ({ page }) => {
  let asked: unknown;
  let answer = () => {};
  await page.route('**/api/subscribe', async route => {
    asked = route.request().postDataJSON();
    await new Promise<void>(resolve => {
      answer = resolve;
    });
    await route.fulfill({ json: { result: 2 } });
  });
  await page.goto(`${site('ttmbhatv')}/ttlogin?ext_ref=poster-7`);
  await page.getByPlaceholder('Enter your phone number : eg 812xxxxxx').fill('081 234 5678');
  await holds('Join: the checkbox "I agreed to the Terms and Conditions" is not enforced', async () => {
    await expect(
      page.getByRole('checkbox', { name: 'I agreed to the Terms and Conditions' }),
    ).not.toBeChecked();
    await page.getByRole('button', { name: 'JOIN' }).click();
    await expect.poll(() => asked).toBeDefined();
  });
  await holds('Join: JOIN reads "Loading..." and is disabled while submitting', () =>
    expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled(),
  );
  await holds('Join: ext_ref is read from the query', async () => {
    expect(asked).toMatchObject({ ext_ref: 'poster-7' });
  });
  await holds('Channel WAP', async () => {
    expect(asked).toEqual({ msisdn: '081 234 5678', ext_ref: 'poster-7', channel: 'WAP', svc_id: 152 });
  });
  answer();
  // Already active: straight home, where this phone has yet to prove whose it is.
  await holds('Join, result 2: the site’s home with result=active', () =>
    page.waitForURL(/\/ttredirect\?service=ttmbhatv&msisdn=.*&result=active$/),
  );
  await expect(page.getByRole('button', { name: "Confirm it's you" })).toBeVisible();
});

test('ttmbhatv: a number that has to confirm is sent to the network', async ({ page }) => {
  const redirectUrl = `${site('ttmbhatv')}/terms?as=the-network`;
  await page.route('**/api/subscribe', route =>
    route.fulfill({ json: { result: 1, redirectUrl, subscriptionId: 'abc' } }),
  );
  await page.goto(`${site('ttmbhatv')}/ttlogin`);
  await page.getByPlaceholder('Enter your phone number : eg 812xxxxxx').fill('0812345678');
  await page.getByRole('button', { name: 'JOIN' }).click();
  await holds('Join, result 1: the browser goes to redirectUrl', () => page.waitForURL(redirectUrl));
});
