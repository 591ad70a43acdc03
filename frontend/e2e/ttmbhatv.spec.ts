import { expect, type Locator } from '@playwright/test';
import { prove, site, test, touchInput } from './visit';
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
  await prove('VOD: a slider of 3 banners for the TV service', () =>
    expect(banner.getByRole('listitem')).toHaveCount(3),
  );
  await prove(
    'Carousels are infinite only if more than 3 videos, move by themselves, 500 ms; the banner 800 ms',
    () => expect.poll(() => settings(banner)).toEqual({ speed: 800, loop: true, running: true }),
  );
  // Rows out of view do not move.
  const lastRow = page.locator('.carousel-row').last();
  const isMoving = async (each: Locator) => (await each.getAttribute('data-moving')) === 'true';
  expect(await isMoving(lastRow)).toBe(false);
  const { drag } = await touchInput(page);
  while (!(await isMoving(lastRow))) await drag({ x: 340, y: 600 }, 0, -400);
  await expect.poll(() => isMoving(banner)).toBe(false);
});

test('ttmbhatv: JOIN is disabled during its call, with and without the checkbox', async ({ page }) => {
  let requested: unknown;
  let answer = () => {};
  await page.route('**/api/subscribe', async route => {
    requested = route.request().postDataJSON();
    await new Promise<void>(resolve => {
      answer = resolve;
    });
    await route.fulfill({ json: { result: 2 } });
  });
  await page.goto(`${site('ttmbhatv')}/ttlogin?ext_ref=poster-7`);
  await page.getByPlaceholder('Enter your phone number : eg 812xxxxxx').fill('081 234 5678');
  await prove('Join: the checkbox "I agreed to the Terms and Conditions" is not enforced', async () => {
    await expect(
      page.getByRole('checkbox', { name: 'I agreed to the Terms and Conditions' }),
    ).not.toBeChecked();
    await page.getByRole('button', { name: 'JOIN' }).click();
    await expect.poll(() => requested).toBeDefined();
  });
  await prove('Join: JOIN reads "Loading..." and is disabled while submitting', () =>
    expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled(),
  );
  await prove('Join: ext_ref is read from the query', async () => {
    expect(requested).toMatchObject({ ext_ref: 'poster-7' });
  });
  await prove('Channel WAP', async () => {
    expect(requested).toEqual({
      msisdn: '081 234 5678',
      ext_ref: 'poster-7',
      channel: 'WAP',
      svc_id: 152,
      shown: '300.day.0.',
      challenge: expect.stringMatching(/^press\.152\./),
      code: '',
      homepage: '',
    });
  });
  answer();
  // Already active: the home page opens, where the visitor still has to confirm the number.
  await prove('Join, result 2: the site’s home with result=active', () =>
    page.waitForURL(/\/ttredirect\?service=ttmbhatv&msisdn=.*&result=active$/),
  );
  await expect(page.getByRole('button', { name: "Confirm it's you" })).toBeVisible();
});

test('ttmbhatv: a new number is sent to the network’s page', async ({ page }) => {
  const redirectUrl = `${site('ttmbhatv')}/terms?as=the-network`;
  await page.route('**/api/subscribe', route =>
    route.fulfill({ json: { result: 1, redirectUrl, subscriptionId: 'abc' } }),
  );
  await page.goto(`${site('ttmbhatv')}/ttlogin`);
  await page.getByPlaceholder('Enter your phone number : eg 812xxxxxx').fill('0812345678');
  await page.getByRole('button', { name: 'JOIN' }).click();
  await prove('Join, result 1: the browser goes to redirectUrl', () => page.waitForURL(redirectUrl));
});
