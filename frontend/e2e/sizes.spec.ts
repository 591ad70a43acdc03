/** Small phones in portrait and landscape: the main action is on the first screen, and bars are low. */
import { expect, type Page } from '@playwright/test';
import {
  expectNoAxeFindings,
  expectOnlyRefused,
  frontCard,
  newNumber,
  openAsTestNumber,
  screenshot,
  site,
  test,
} from './visit';
import { firstOf } from './vod';

/** The top and bottom of `selector` in CSS pixels. */
const placeOf = (page: Page, selector: string) =>
  page.evaluate(needed => {
    const boxes = [...document.querySelectorAll(needed)].map(each => each.getBoundingClientRect());
    return {
      top: Math.min(...boxes.map(({ top }) => top)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
      left: Math.min(...boxes.map(({ left }) => left)),
      right: Math.max(...boxes.map(({ right }) => right)),
    };
  }, selector);

const SIZES = [
  [320, 568],
  [360, 640],
  [360, 740],
  [568, 320],
  [740, 360],
  [844, 390],
] as const;

for (const label of ['mcfunny', 'diski99'])
  for (const [width, height] of SIZES)
    test(`${label}: the deck and both buttons are on a screen of ${width} x ${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.goto(`${site(label)}/`);
      await expect(frontCard(page)).toBeVisible();
      for (const selector of ['.deck-card[data-depth="0"]', '.deck-button']) {
        const { top, bottom } = await placeOf(page, selector);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(bottom).toBeLessThanOrEqual(height);
      }
      const card = await placeOf(page, '.deck-card[data-depth="0"]');
      expect(card.bottom - card.top, 'most of what is left').toBeGreaterThan(height * 0.43);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await expectNoAxeFindings(page);
      await screenshot(page, `${label}-${width}x${height}`);
      await page.keyboard.press('ArrowLeft');
      await expect(frontCard(page)).toContainText('Swipe right if you like what you see.');
      await page.waitForTimeout(300);
      await page.screenshot({ path: `test-results/${label}-${width}x${height}-how-to.png` });
    });

for (const [label, address] of [
  ['mcfunny', '/'],
  ['memeworld', '/'],
  ['ttmbhatv', '/'],
  ['racedaytv', '/ttsingle/{video}/raceday'],
] as const)
  test(`${label}${address}: in landscape, bars take less than a fifth of the screen`, async ({ page }) => {
    const { video } = address.includes('{video}')
      ? await firstOf(page, { label, service: 'raceday' })
      : { video: '' };
    const shown = site(label) + address.replace('{video}', String(video));
    for (const [width, height] of [
      [568, 320],
      [740, 360],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(shown);
      await expect(page.getByRole('link', { name: /^(JOIN|Join now)$/ })).toBeVisible();
      const { bottom } = await placeOf(page, '.site-header, .visitor-bar');
      expect(bottom, `at ${width} x ${height}`).toBeLessThan(height / 5);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await expectNoAxeFindings(page);
      await screenshot(page, `${label}-side-${width}`);
    }
  });

for (const [label, form] of [
  ['mcfunny', '/login'],
  ['memeworld', '/memelogin'],
  ['ttmbhatv', '/ttlogin'],
] as const)
  test(`${label}: JOIN and the price are on the first screen of the smallest phone`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await page.goto(site(label) + form);
    await screenshot(page, `${label}-form-320x568`);
    const { bottom } = await placeOf(page, '.join-act .button, .join-act .price-line');
    expect(bottom).toBeLessThanOrEqual(568);
  });

for (const [width, height] of [
  [568, 320],
  [640, 360],
  [844, 390],
] as const) {
  test(`the whole player is on a screen of ${width} x ${height}`, async ({ page }) => {
    await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
    await openAsTestNumber(page, 'ttmbhatv', '/ttredirect', 'ttmbhatv');
    await page.setViewportSize({ width, height });
    for (const address of [
      `${site('mcfunny')}/video/1/MC%20Funny/1`,
      `${site('ttmbhatv')}/ttsingle/1/ttmbhatv`,
    ]) {
      await page.goto(address);
      await expect(page.locator('.player video')).toBeVisible();
      const { top, bottom } = await placeOf(page, '.player');
      expect(bottom).toBeLessThanOrEqual(height);
      expect(bottom - top, 'most of what is left').toBeGreaterThan(height * 0.7);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await screenshot(page, `player-${width}x${height}`);
  });
}

test('JOIN is on the first screen of a phone in landscape', async ({ page }) => {
  for (const [label, form] of [
    ['mcfunny', '/login'],
    ['diski99', '/diskilogin'],
    ['memeworld', '/memelogin'],
    ['ttmbhatv', '/ttlogin'],
    ['racedaytv', '/racedaylogin'],
  ] as const) {
    await page.goto(site(label) + form);
    for (const [width, height] of [
      [640, 360],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { bottom } = await placeOf(page, '.join-act .button');
      expect(bottom, `${label} at ${width}`).toBeLessThanOrEqual(height);
      await screenshot(page, `${label}-form-${width}x${height}`);
    }
  }
});

test('content is on the first screen of a phone in landscape', async ({ page }) => {
  for (const [width, height] of [
    [640, 360],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [label, selector] of [
      ['ttmbhatv', '.carousel-row .video-card:first-child'],
      ['racedaytv', '.carousel-row .video-card:first-child'],
      ['memeworld', '.meme-card .picture'],
    ] as const) {
      await page.goto(`${site(label)}/`);
      await expect(page.locator(selector).first()).toBeVisible();
      const { top } = await placeOf(page, selector);
      expect(top, `${label} at ${width}`).toBeLessThan(height - 50);
      // Rows that move by themselves are wider than the plain ones.
      if (label !== 'memeworld') await expect(page.locator('.swiper-initialized').first()).toBeVisible();
      expect(await page.evaluate(() => window.innerWidth), `${label} at ${width}`).toBe(width);
      await screenshot(page, `${label}-home-${width}x${height}`);
    }
  }
});

const LANGUAGES = ['en', 'af', 'xh', 'zu', 'st', 'tn'];

test('in landscape the whole logo stands beside "Confirm it’s you" in every language', async ({ page }) => {
  for (const [width, height] of [
    [568, 320],
    [640, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const language of LANGUAGES) {
      await page.context().addCookies([{ name: 'language', value: language, url: site('ttmbhatv') }]);
      // No session: the number is not the test number's.
      await page.goto(`${site('ttmbhatv')}/ttredirect?service=ttmbhatv&msisdn=27812345678&result=active`);
      await expect(page.locator('.visitor-bar .confirm button')).toBeVisible();
      const cut = await page.locator('.wordmark').evaluate(each => each.scrollWidth - each.clientWidth);
      expect(cut, language).toBe(0);
      const { bottom } = await placeOf(page, '.site-header, .visitor-bar, .visitor-bar *');
      expect(bottom, language).toBeLessThan(height / 5);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.screenshot({ path: `test-results/confirm-side-${width}-${language}.png` });
    }
  }
});

test('the buttons of the feed stand side by side in every language at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  for (const language of LANGUAGES) {
    await page.context().addCookies([{ name: 'language', value: language, url: site('ttmbhatv') }]);
    await page.goto(`${site('ttmbhatv')}/feed`);
    const marks = page.locator('li:not([inert]) .feed-foot .mark');
    await expect(marks).toHaveCount(3);
    const boxes = await marks.evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON()));
    const [like, watchlist, share] = boxes as [DOMRect, DOMRect, DOMRect];
    expect([watchlist.top, share.top], language).toEqual([like.top, like.top]);
    expect(like.right, language).toBeLessThan(watchlist.left);
    expect(watchlist.right, language).toBeLessThan(share.left);
    expect(share.right, language).toBeLessThanOrEqual(304);
    const wide = await marks.evaluateAll(all =>
      all.filter(each => {
        const words = document.createRange();
        words.selectNodeContents(each);
        const [inner, outer] = [words.getBoundingClientRect(), each.getBoundingClientRect()];
        return inner.left < outer.left + 2 || inner.right > outer.right - 2;
      }),
    );
    expect(wide.length, `words over the edge of their button: ${language}`).toBe(0);
    await page.screenshot({ path: `test-results/feed-320-${language}.png` });
  }
});

test('the price keeps its distance from JOIN in every language at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  for (const language of LANGUAGES) {
    await page.context().addCookies([{ name: 'language', value: language, url: site('mcfunny') }]);
    await page.goto(`${site('mcfunny')}/`);
    const [price, join] = [
      await placeOf(page, '.visitor-bar p'),
      await placeOf(page, '.visitor-bar .button'),
    ];
    expect(join.left - price.right, language).toBeGreaterThanOrEqual(12);
  }
});

test('the buttons of the deck are below its cards in every language at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  for (const language of LANGUAGES) {
    await page.context().addCookies([{ name: 'language', value: language, url: site('mcfunny') }]);
    await page.goto(`${site('mcfunny')}/`);
    const [cards, button] = [await placeOf(page, '.deck-card'), await placeOf(page, '.deck-button')];
    expect(button.top, language).toBeGreaterThanOrEqual(cards.bottom);
    expect(button.bottom, language).toBeLessThanOrEqual(568);
  }
});

test('the notice of a lost connection is whole in every language', async ({ page, pageErrors }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const videos = await page.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1')).json());
  const { videoid } = videos.find(({ vurl }: { vurl: string }) => vurl.includes('the-last-two-minutes'));
  await page.route(/\.(m4s|mp4)$/, route => route.abort('internetdisconnected'));
  for (const language of LANGUAGES) {
    await page.context().addCookies([{ name: 'language', value: language, url: site('mcfunny') }]);
    await page.goto(`${site('mcfunny')}/video/${videoid}/MC%20Funny/1`);
    // Once more, and the sound alone.
    await expect(page.locator('.player-lost .button')).toHaveCount(2);
    for (const [width, height] of [
      [320, 568],
      [360, 740],
      [568, 320],
    ] as const) {
      await page.setViewportSize({ width, height });
      const [player, notice] = [
        await placeOf(page, '.player'),
        await placeOf(page, '.player-lost, .player-lost *'),
      ];
      expect(notice.left, `${language}, ${width} px`).toBeGreaterThanOrEqual(player.left);
      expect(notice.right, `${language}, ${width} px`).toBeLessThanOrEqual(player.right);
      expect(notice.top, `${language}, ${width} px`).toBeGreaterThanOrEqual(player.top);
      await page.locator('.player').screenshot({ path: `test-results/lost-${width}-${language}.png` });
    }
  }
  expectOnlyRefused(pageErrors, 'ERR_INTERNET_DISCONNECTED');
});

test('what the network said leaves the deck its buttons below the card', async ({ page }) => {
  await page.goto(`${site('mcfunny')}/login`);
  await page.locator('input[name=msisdn]').fill(newNumber());
  await page.getByRole('button', { name: 'JOIN' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.locator('.return-news')).toContainText('Nothing is charged.');
  for (const [width, height] of [
    [360, 740],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [card, button] = [
      await placeOf(page, '.deck-card[data-depth="0"]'),
      await placeOf(page, '.deck-button'),
    ];
    expect(button.top, `${width} px`).toBeGreaterThan(card.bottom);
    expect(button.bottom, `${width} px`).toBeLessThanOrEqual(height);
  }
});
