/** Loading, error and empty states of everything that is fetched, with axe, on a phone and a desktop. */
import { expect, type Route } from '@playwright/test';
import {
  checkScreens,
  expectNoAxeFindings,
  expectOnlyRefused,
  openAsTestNumber,
  prove,
  removeEmbeddedReplies,
  site,
  test,
} from './visit';

const CASES = [
  {
    name: 'mcfunny-all-artists',
    label: 'mcfunny',
    address: '/artists',
    call: '**/api/madfunny/fetchArtist?*',
    nothing: [],
    says: 'COME BACK FOR MORE CONTENT SOON.',
  },
  {
    name: 'mcfunny-artists',
    label: 'mcfunny',
    address: '/',
    call: '**/api/madfunny/fetchArtist?*',
    nothing: [],
    says: 'COME BACK FOR MORE CONTENT SOON.',
  },
  {
    name: 'mcfunny-videos',
    label: 'mcfunny',
    address: '/allvideos/1/MC%20Funny/1',
    call: '**/api/madfunny/fetchVideos/1',
    nothing: [],
    says: 'No videos here yet. Come back soon.',
  },
  {
    name: 'mcfunny-video',
    label: 'mcfunny',
    address: '/video/1/MC%20Funny/1',
    call: '**/api/madfunny/fetchsingle/1',
    nothing: [],
    says: 'This video is not here any more.',
  },
  {
    name: 'diski99-artists',
    label: 'diski99',
    address: '/',
    call: '**/api/diski/fetchArtist?*',
    nothing: [],
    says: 'COME BACK FOR MORE CONTENT SOON.',
  },
  {
    name: 'diski99-related',
    label: 'diski99',
    address: '/diskisingle/1/diski99/1',
    call: '**/api/diski/common/*',
    nothing: [],
    says: 'Nothing related yet.',
  },
  {
    name: 'memeworld-memes',
    label: 'memeworld',
    address: '/',
    call: '**/api/meme/random',
    nothing: [],
    says: 'No memes yet. Come back soon.',
  },
  {
    name: 'memeworld-category',
    label: 'memeworld',
    address: '/memeCategory/1/1/memeworld',
    call: '**/api/meme/getMemeValue/1',
    nothing: { memeData: [], categoryName: 'Load Shedding' },
    says: 'There is no meme in this category!',
  },
  {
    name: 'ttmbhatv-rows',
    label: 'ttmbhatv',
    address: '/',
    call: '**/api/tt/getcatvideos/ttmbhatv',
    nothing: [],
    says: 'Nothing to watch yet. Come back soon.',
  },
  {
    name: 'ttmbhatv-category',
    label: 'ttmbhatv',
    address: '/ttcategory/1/ttmbhatv',
    call: '**/api/tt/catVideos/1',
    nothing: { categoryName: 'Drama', videos: [] },
    says: 'No videos in this category yet.',
  },
  {
    name: 'racedaytv-video',
    label: 'racedaytv',
    address: '/ttsingle/1/raceday',
    call: '**/api/tt/ttsinglevideo/1',
    nothing: null,
    says: 'This is not here any more.',
  },
  {
    name: 'racedaytv-rows',
    label: 'racedaytv',
    address: '/',
    call: '**/api/tt/getcatvideos/raceday',
    nothing: [],
    says: 'Nothing to watch yet. Come back soon.',
  },
];

for (const { name, label, address, call, nothing, says } of CASES)
  test(`${name}: loading, failed, empty`, async ({ page, pageErrors }) => {
    await removeEmbeddedReplies(page);
    const messages: string[] = [];
    page.on('dialog', dialog => {
      messages.push(dialog.message());
      dialog.accept();
    });
    let release = () => {};
    const held = new Promise<void>(resolve => {
      release = resolve;
    });
    const fails = async (route: Route) => {
      await held;
      await route.fulfill({ status: 503, json: { status: 503, error_message: 'Not for a visitor.' } });
    };
    await page.route(call, fails);
    const logged = page.waitForEvent('console', message => message.text().startsWith('Call failed'));
    await page.goto(site(label) + address);
    await expect(page.locator('main [aria-busy=true]').first()).toBeVisible();
    await checkScreens(page, `${name}-loading`);

    release();
    await prove('All other failed calls are only logged: no toast, no alert', async () => {
      await logged;
      await expect(page.getByText('We could not load this.')).toBeVisible();
      await expect(page.getByText('Not for a visitor.')).toHaveCount(0);
      await expect(page.locator('.Toastify__toast')).toHaveCount(0);
      expect(messages).toEqual([]);
    });
    await checkScreens(page, `${name}-failed`);

    await page.unroute(call, fails);
    await page.route(call, route =>
      nothing ? route.fulfill({ json: nothing }) : route.fulfill({ status: 404 }),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('main')).toContainText(says);
    await checkScreens(page, `${name}-empty`);
    expectOnlyRefused(pageErrors, '503', ...(nothing ? [] : ['404']));
  });

test('a menu that could not be loaded is empty and shows no error', async ({ page, pageErrors }) => {
  await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
  for (const call of ['getCategory', 'getTTWatchlist'])
    await page.route(`**/api/tt/${call}/*`, route => route.fulfill({ status: 503, json: { status: 503 } }));
  await page.reload();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await prove('All other failed calls are only logged: no toast, no alert', async () => {
    await page.getByRole('button', { name: 'CATEGORIES' }).click();
    await expect(page.getByText('No categories yet.')).toBeVisible();
    await page.getByRole('button', { name: 'WATCHLIST' }).click();
    await expect(page.getByText('Your watchlist is empty.')).toBeVisible();
    await expect(page.locator('.Toastify__toast, [role=alert]')).toHaveCount(0);
  });
  await expectNoAxeFindings(page);
  expectOnlyRefused(pageErrors, '503');
});
