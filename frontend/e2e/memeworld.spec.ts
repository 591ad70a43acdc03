import { expect } from '@playwright/test';
import type { Sentence } from './sentences';
import {
  checkPages,
  checkScreens,
  expectNoAxeFindings,
  expectOnlyRefused,
  expectOptInOpens,
  expectSmallFirstVisit,
  homeOf,
  join,
  openAsTestNumber,
  prove,
  removeEmbeddedReplies,
  screenshot,
  site,
  test,
} from './visit';
import { expectTermsText } from './vod';

const HOME = ['memeworld', '/redirectTo', 'memeworld'] as const;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

test('memeworld: join, like, and find the like again', async ({ page }) => {
  const number = await join({
    page,
    label: 'memeworld',
    form: '/memelogin',
    home: '/redirectTo',
    leads: 'Check, result 1: /redirectTo on memeworld',
  });
  const first = page.locator('.meme-card').first();
  await prove('Memes: a grid of random memes with a like heart and like count', async () => {
    await expect(first).toBeVisible();
    // The picture has loaded.
    await expect
      .poll(() => first.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(50);
    await expect(first.locator('.like svg')).toBeVisible();
    await expect(first.locator('.like-count')).toHaveText(/^\d+$/);
    // The accessible name includes the count.
    await expect(first.locator('.like')).toHaveAccessibleName(/^Like .+, \d+$/);
  });
  await screenshot(page, 'memeworld-home');
  await expectNoAxeFindings(page);

  // In a category, whose memes are the same after a reload; the home returns random ones.
  await prove('Memes: a dropdown "Browse Category"', async () => {
    await page.getByRole('button', { name: 'Browse Category' }).click();
    await page.locator('.menu-large a').first().click();
    await prove('Flag 1: may browse and like', () => page.waitForURL(/\/memeCategory\/1\/\d+\/memeworld$/));
  });
  const sent: unknown[] = [];
  page.on('request', request => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname.startsWith('/api/meme/'))
      sent.push([request.method(), pathname, request.postDataJSON()]);
  });
  const like = page.locator('.like').first();
  await prove('Meme like: not liked sends like and adds it, liked sends unlike and removes it', async () => {
    await expect(like).toHaveAttribute('aria-pressed', 'false');
    await expect(like).toHaveText('0');
    // The page shows the like before it is saved, and a reload would ask for likes at the same time.
    const saved = page.waitForResponse('**/api/meme/postlike');
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await expect(like).toHaveText('1');
    await saved;
    await page.reload();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await screenshot(page, 'memeworld-category');
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'false');
    const time = expect.stringMatching(TIME);
    const id = expect.any(Number);
    expect(sent).toEqual([
      ['POST', '/api/meme/postlike', { like: '1', created: time, updated: time, id, ani: number }],
      ['DELETE', '/api/meme/unlike', { meme_id: id, ani: number }],
    ]);
  });
});

test('memeworld: every address, on phones and desktops', async ({ page, browser }) => {
  await checkPages(page, 'memeworld', [
    {
      address: '/',
      shows: 'Click on a meme to get started now!',
      name: 'front',
      proves: ['/ on memeworld is the meme home'],
    },
    {
      address: '/memelogin?ext_ref=x',
      shows: 'Sign in to MEMEWORLD!',
      name: 'form',
      proves: ['/memelogin is the join form of the meme site', 'Join, memes: "Sign in to MEMEWORLD!"'],
    },
    {
      address: '/terms',
      shows: 'Terms and Conditions',
      name: 'terms',
      proves: ['/terms are the Meme World terms'],
    },
    { address: '/subscription', shows: 'Other ways to stop', name: 'leave' },
    { address: '/search?q=a', shows: /\d+ found/, name: 'search' },
    { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
  ]);
  await openAsTestNumber(page, ...HOME);
  await checkPages(page, 'memeworld', [
    {
      address: '/redirectTo?service=memeworld&msisdn=27600000000&result=active',
      shows:
        /Welcome to Meme World, the best and quickest way to boost your social media game!\s*Click on a meme to get started now!/,
      name: 'member',
      proves: ['/redirectTo is the meme home', 'Memes: both sentences of welcome'],
    },
    {
      address: '/memeCategory/1/1/memeworld',
      shows: /\d{1,2} [A-Z]+, \d{4}/,
      name: 'category',
      proves: ['/memeCategory/:count/:id/:service is a meme category grid'],
    },
    { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
  ]);
  await expectSmallFirstVisit(browser, `${site('memeworld')}/`);
});

test('memeworld: header and footer', async ({ page }) => {
  await openAsTestNumber(page, ...HOME);
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await prove('Memes: HOME, CATEGORIES dropdown, UPLOAD (no action)', async () => {
    await expect(menu.getByRole('link', { name: 'HOME', exact: true })).toBeVisible();
    await menu.getByRole('button', { name: 'CATEGORIES' }).click();
    await expect(menu.getByRole('link', { name: 'Taxi Tales' })).toBeVisible();
    const here = page.url();
    await menu.getByRole('button', { name: 'UPLOAD' }).click();
    await expect(page.locator('dialog, .Toastify__toast')).toHaveCount(0);
    expect(page.url()).toBe(here);
  });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();

  await prove('Memes: the logo links to /redirectTo?service=&msisdn=&result=active', () =>
    expect(page.getByRole('link', { name: 'MEMEWORLD, home' })).toHaveAttribute(
      'href',
      homeOf(...HOME).replace(site('memeworld'), ''),
    ),
  );
  const footer = page.getByRole('contentinfo');
  const line = 'Memes: the footer has terms, "Want to unsubscribe", a contact and a copyright line';
  await prove(line, async () => {
    await expect(footer.getByRole('link', { name: 'Terms and Conditions' })).toHaveAttribute(
      'href',
      '/terms',
    );
    await expect(footer.getByRole('link', { name: 'Want to unsubscribe' })).toHaveAttribute(
      'href',
      '/subscription',
    );
    await expect(footer).toContainText(/help@memeworld\.example[\s\S]*© \d{4} MEMEWORLD/);
  });
});

test('memeworld: Go Back leaves the terms', async ({ page }) => {
  await page.goto(`${site('memeworld')}/memelogin`);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms and Conditions' }).click();
  await page.waitForURL(`${site('memeworld')}/terms`);
  await expectTermsText(page, 'memeworld');
  await page.getByRole('button', { name: 'Go Back' }).first().click();
  await page.waitForURL(`${site('memeworld')}/memelogin`);
});

test('memeworld: a category’s heading, columns and cards', async ({ page }) => {
  await openAsTestNumber(page, ...HOME);
  await page.goto(`${site('memeworld')}/memeCategory/1/1/memeworld`);
  const grid = page.locator('.grid-memes');
  await expect(grid).toBeVisible();
  await prove('Meme category: 2 columns on small screens, 4 on medium, 6 on large', async () => {
    const columns = () => grid.evaluate(each => getComputedStyle(each).gridTemplateColumns.split(' ').length);
    for (const [width, count] of [
      [360, 2],
      [767, 2],
      [768, 4],
      [1023, 4],
      [1024, 6],
      [1280, 6],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      await expect.poll(columns, `${count} columns at ${width} px`).toBe(count);
    }
  });
  await prove('Meme category: uppercase heading', () =>
    expect(page.getByRole('heading', { level: 1 })).toHaveText('LOAD SHEDDING'),
  );
  const parts =
    'Meme category: image, like count badge (1 or 0), like toggle, title, date with the month in capitals';
  await prove(parts, async () => {
    const { memeData } = await page.evaluate(async () => (await fetch('/api/meme/getMemeValue/1')).json());
    const cards = page.locator('.meme-card');
    await expect(cards).toHaveCount(memeData.length);
    const card = cards.first();
    await expect(card.getByRole('img', { name: memeData[0].title })).toBeVisible();
    await expect(card.getByRole('heading')).toHaveText(memeData[0].title);
    await expect(card.locator('.meme-date')).toHaveText(/^\d{1,2} [A-Z]+, \d{4}$/);
    for (const each of await cards.all()) {
      const like = each.getByRole('button', { name: /^Like / });
      const pressed = await like.getAttribute('aria-pressed');
      await expect(like).toHaveText(pressed === 'true' ? '1' : '0');
    }
  });
});

test('memeworld: only https pictures, an empty category, and the opt-in without a subscription', async ({
  page,
}) => {
  await page.goto(`${site('memeworld')}/terms`);
  const detail = await page.evaluate(async () => (await fetch('/api/meme/getMemeValue/1')).json());
  detail.memeData[0].image = 'http://old.example/meme.webp';
  await removeEmbeddedReplies(page);
  await page.route('**/api/meme/getMemeValue/1', route => route.fulfill({ json: detail }));
  await page.route('**/api/meme/getMemeValue/2', route =>
    route.fulfill({ json: { memeData: [], categoryName: 'Nothing' } }),
  );
  await page.goto(`${site('memeworld')}/memeCategory/0/1/memeworld`);
  await prove('Meme category: only memes whose image address contains https', async () => {
    await expect(page.locator('.meme-card')).toHaveCount(detail.memeData.length - 1);
    await expect(page.getByText(detail.memeData[0].title, { exact: true })).toHaveCount(0);
  });
  const unsubscribed: Sentence =
    'Flag 0, memes: a category, a like or an unlike opens the operator’s opt-in in a new tab';
  await prove(unsubscribed, async () => {
    await expectOptInOpens(page, () => page.locator('.like').first().click());
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'CATEGORIES' }).click();
    await expectOptInOpens(page, () => page.locator('.menu-list a').first().click());
    await openAsTestNumber(page, ...HOME);
    await page.route('**/api/meme/mine', route =>
      route.fulfill({ json: { liked: [detail.memeData[1].id] } }),
    );
    await page.goto(`${site('memeworld')}/memeCategory/0/1/memeworld`);
    const liked = page.getByRole('button', { name: `Like ${detail.memeData[1].title}` });
    await expect(liked).toHaveAttribute('aria-pressed', 'true');
    await expectOptInOpens(page, () => liked.click());
    await expect(liked).toHaveAttribute('aria-pressed', 'true');
  });

  await page.goto(`${site('memeworld')}/memeCategory/1/2/memeworld`);
  await prove('Meme category, empty: "There is no meme in this category!"', () =>
    expect(page.getByText('There is no meme in this category!', { exact: true })).toBeVisible(),
  );
});

test('memeworld: the home shows only memes with an https picture', async ({ page }) => {
  await page.goto(`${site('memeworld')}/terms`);
  const drawn = await page.evaluate(async () => (await fetch('/api/meme/random')).json());
  drawn[0].image = drawn[0].image.replace('https:', 'http:');
  await removeEmbeddedReplies(page);
  await page.route('**/api/meme/random*', route => route.fulfill({ json: drawn }));
  await page.goto(`${site('memeworld')}/`);
  await prove('A meme is displayed only if its image link contains https', async () => {
    await expect(page.locator('.meme-card').first()).toContainText(drawn[1].title);
    await expect(page.getByRole('button', { name: `Open ${drawn[0].title}`, exact: true })).toHaveCount(0);
  });
});

test('memeworld: the home allows likes, and a failed like is logged', async ({ page, pageErrors }) => {
  await page.goto(`${site('memeworld')}/`);
  await prove('Meme home: the flag is fixed to 1', async () => {
    await page.getByRole('button', { name: 'Browse Category' }).click();
    await expect(page.locator('.menu-large a').first()).toHaveAttribute('href', /^\/memeCategory\/1\//);
    await page.keyboard.press('Escape');
  });
  await prove('Meme like: a failure is only logged and nothing changes', async () => {
    await openAsTestNumber(page, ...HOME);
    await page.route('**/api/meme/postlike', route => route.fulfill({ status: 503, json: { status: 503 } }));
    const like = page.locator('.like[aria-pressed=false]').first();
    const before = await like.textContent();
    const logged = page.waitForEvent('console', message => message.text().startsWith('Like not saved'));
    await like.click();
    await logged;
    await expect(like).toHaveAttribute('aria-pressed', 'false');
    await expect(like).toHaveText(before ?? '');
    await expect(page.locator('.Toastify__toast, [role=alert]')).toHaveCount(0);
  });
  expectOnlyRefused(pageErrors, '503');
});

test('memeworld: a meme opens as large as the screen, and closes', async ({ page }) => {
  await page.goto(`${site('memeworld')}/`);
  const open = page.locator('.meme-open').first();
  const viewer = page.getByRole('dialog');
  await open.click();
  await expect(viewer.locator('li:not([inert]) img')).toBeVisible();
  await checkScreens(page, 'memeworld-viewer');
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await expect(open, 'the focus is where it was').toBeFocused();
  await open.click();
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect(viewer).toHaveCount(0);
});

test('memeworld: the form takes digits only, the test number skips the network', async ({ page }) => {
  await page.goto(`${site('memeworld')}/memelogin`);
  const field = page.getByPlaceholder('Enter your phone number : eg 812xxxxxx');
  await prove('Join: the meme form takes digits only, by numeric input', async () => {
    await expect(field).toHaveAttribute('inputmode', 'numeric');
    await field.pressSequentially('+27a60 000-0000');
    await expect(field).toHaveValue('27600000000');
  });
  await prove('The test number skips the server and goes to the home as active', async () => {
    let requested = false;
    page.on('request', request => {
      requested ||= request.method() === 'POST' && new URL(request.url()).pathname === '/api/subscribe';
    });
    await page.getByRole('button', { name: 'JOIN' }).click();
    await page.waitForURL(/\/redirectTo\?service=memeworld&msisdn=27600000000&result=active$/);
    expect(requested).toBe(false);
  });
});
