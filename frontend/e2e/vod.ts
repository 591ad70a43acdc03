/** Tests for both video-on-demand brands; tests of a single brand are in the brand's spec. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { Sentence } from './sentences';
import {
  checkPages,
  expectNoAccess,
  expectNoAxeFindings,
  expectOnlyRefused,
  expectOptInOpens,
  expectPlaying,
  expectSmallFirstVisit,
  join,
  openAsTestNumber,
  prove,
  removeEmbeddedReplies,
  screenshot,
  site,
  swipe,
  test,
  waitForHydration,
} from './visit';

export type VodSite = {
  label: string;
  name: string;
  service: string;
  form: string;
  terms: string;
  /** Its first two categories. */
  categories: [string, string];
  says: Record<'root' | 'form' | 'words' | 'check' | 'terms' | 'privacy', Sentence>;
};

const REFUSED = { status: 503, json: { status: 503 } };
const UNSUBSCRIBED: Sentence =
  'Flag 0, VOD: a category, a like or an unlike opens the operator’s opt-in in a new tab';
const FAILED = 'Failed to remove video. Please try again.';

/** Ids differ from one database to another. */
export async function firstOf(page: Page, { label, service }: Pick<VodSite, 'label' | 'service'>) {
  await page.goto(`${site(label)}/terms`);
  const groups = await page.evaluate(async of => (await fetch(`/api/tt/getcatvideos/${of}`)).json(), service);
  return { groups, category: groups[0].category.id, video: groups[0].videos[0].id };
}

type SwiperElement = HTMLElement & {
  swiper: { params: { speed: number; loop: boolean } };
};
/** The Swiper settings of a row. */
export const settings = (row: Locator) =>
  row.locator('.swiper').evaluate((each: HTMLElement) => {
    const { params } = (each as SwiperElement).swiper;
    const running = each.closest('section')?.dataset.moving === 'true';
    return { speed: params.speed, loop: params.loop, running };
  });

export function vodSite(brand: VodSite) {
  const { label, name, service, form, terms, categories, says } = brand;
  const homeArgs = [label, '/ttredirect', service] as const;
  const member = `/ttredirect?service=${service}&msisdn=27600000000&result=Active`;

  test(`${label}: join, watch, like and add to the watchlist`, async ({ page, browser }) => {
    const number = await join({ page, label, form, home: '/ttredirect', leads: says.check });
    await expect(page.locator('.video-card').first()).toBeVisible();
    await screenshot(page, `${label}-home`);
    await expectNoAxeFindings(page);

    await prove('VOD: clicking a video goes to /ttsingle/{id}/{service}', async () => {
      await page.locator('.carousel-row .video-card').first().click();
      await page.waitForURL(new RegExp(`/ttsingle/\\d+/${service}$`));
    });
    await prove('VOD video: player, "Views (0)" and category label', async () => {
      await expectPlaying(page);
      await expect(page.getByText('Views (0)', { exact: true })).toBeVisible();
      await expect(page.locator('.tag')).toHaveText(categories[0]);
    });
    await prove('VOD video: a "Related Videos" carousel', async () => {
      const related = page.getByRole('region', { name: 'Related Videos' });
      await expect(related.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
      await expect(related.locator('.video-card').first()).toHaveAttribute('href', /^\/ttsingle\/\d+\//);
    });
    await screenshot(page, `${label}-player`);

    const videoid = Number(new URL(page.url()).pathname.split('/')[2]);
    const sent: unknown[] = [];
    page.on('request', request => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'GET' && pathname.startsWith('/api/tt/'))
        sent.push([request.method(), pathname, request.postDataJSON()]);
    });
    const toggles = async (button: Locator, calls: unknown[]) => {
      sent.length = 0;
      await expect(button).toHaveAttribute('aria-pressed', 'false');
      // The page shows the change before it is saved, and a reload would ask for it at the same time.
      const saved = page.waitForResponse(
        reply => reply.request().method() === 'POST' && reply.url().includes('/api/tt/'),
      );
      await button.click();
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      await saved;
      await page.reload();
      await expect(button, 'remembered').toHaveAttribute('aria-pressed', 'true');
      await button.click();
      await expect(button).toHaveAttribute('aria-pressed', 'false');
      await expect.poll(() => sent).toEqual(calls);
    };
    await prove('VOD Like: off at first, toggles with like and unlike calls', () =>
      toggles(page.getByRole('button', { name: 'Like', exact: true }), [
        [
          'POST',
          '/api/tt/likevideo',
          {
            videoid,
            ani: number,
            status: '1',
            servicename: service,
            created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          },
        ],
        ['DELETE', '/api/tt/unlikevideo', { ani: number, videoid }],
      ]),
    );
    await prove('VOD Watchlist: off at first, add sets on, remove sets off', () =>
      toggles(page.getByRole('button', { name: 'Watchlist', exact: true }), [
        ['POST', '/api/tt/ttaddwatchlist', { ani: number, videoid, service, name: expect.any(String) }],
        ['DELETE', '/api/tt/ttremove', { ani: number, videoid }],
      ]),
    );
    await expectNoAccess(browser, page.url());
  });

  test(`${label}: every address, on phones and desktops`, async ({ page, browser }) => {
    const { category, video } = await firstOf(page, brand);
    await checkPages(page, label, [
      { address: '/', shows: categories[0], name: 'front', proves: [says.root] },
      {
        address: `${form}?ext_ref=x`,
        shows: /Watch unlimited videos\s*ENTER YOUR NUMBER AND JOIN/,
        name: 'form',
        proves: [says.form, says.words],
      },
      { address: `/ttsingle/${video}/${service}`, shows: `Join ${name} to watch`, name: 'gate' },
      { address: terms, shows: 'Your personal information', name: 'terms', proves: [says.terms] },
      { address: '/subscription', shows: 'Other ways to stop', name: 'leave' },
      { address: '/search?q=a', shows: /\d+ found/, name: 'search' },
      { address: '/watchlist', shows: 'to keep a watchlist', name: 'watchlist-gate' },
      { address: '/feed', shows: `Join ${name} to watch`, name: 'feed-gate' },
      { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
    ]);
    await openAsTestNumber(page, ...homeArgs);
    await checkPages(page, label, [
      {
        address: member,
        shows: categories[0],
        name: 'member',
        proves: ['/ttredirect is the video-on-demand home, service raceday among them'],
      },
      {
        address: `/ttcategory/${category}/${service}`,
        shows: categories[0],
        name: 'category',
        proves: ['/ttcategory/:cat/:service is a category page: title and video grid'],
      },
      {
        address: `/ttsingle/${video}/${service}`,
        shows: 'Related Videos',
        name: 'video',
        proves: ['/ttsingle/:id/:service is a single video-on-demand video, also with ani'],
      },
      {
        address: `/ttsingle/${video}/${service}/27600000000`,
        shows: 'Related Videos',
        name: 'video-ani',
        proves: ['/ttsingle/:id/:service is a single video-on-demand video, also with ani'],
      },
      { address: '/watchlist', shows: 'Watchlist', name: 'watchlist' },
      { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
    ]);
    await expectSmallFirstVisit(browser, `${site(label)}/`);
  });

  test(`${label}: header, full-screen menu and footer`, async ({ page }) => {
    await openAsTestNumber(page, ...homeArgs);
    const { groups, video } = await firstOf(page, brand);
    await page.route(`**/api/tt/getTTWatchlist/${service}`, route =>
      route.fulfill({ json: [{ id: 1, videoid: video, name: 'Kept for Sunday' }] }),
    );
    await page.goto(`${site(label)}${member}`);
    const menu = page.getByRole('navigation', { name: 'Main' });
    const open = page.getByRole('button', { name: 'Open menu' });
    await prove('VOD header: a full-screen mobile menu, open and closed', async () => {
      await expect(menu).toBeHidden();
      await open.click();
      const edges = () =>
        menu.evaluate(each => {
          const { left, right, bottom } = each.getBoundingClientRect();
          return [left, right, bottom];
        });
      await expect.poll(edges).toEqual([0, 360, 740]);
      await page.getByRole('button', { name: 'Close menu' }).click();
      await expect(menu).toBeHidden();
      await open.click();
    });
    const links =
      'VOD header: logo, HOME, CATEGORIES dropdown, WATCHLIST dropdown whose items link to /ttsingle/{id}/{service}';
    await prove(links, async () => {
      await expect(page.getByRole('link', { name: `${name}, home` })).toBeVisible();
      await expect(menu.getByRole('link', { name: 'HOME', exact: true })).toBeVisible();
      await menu.getByRole('button', { name: 'CATEGORIES' }).click();
      await expect(menu.locator('.menu').first().getByRole('link')).toHaveText(
        groups.map((each: { category: { category_name: string } }) => each.category.category_name),
      );
      await menu.getByRole('button', { name: 'WATCHLIST' }).click();
      await expect(menu.getByRole('link', { name: 'Kept for Sunday' })).toHaveAttribute(
        'href',
        `/ttsingle/${video}/${service}`,
      );
    });
    await expectNoAxeFindings(page);
    // Escape closes the list first, then the menu.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await prove(says.privacy, () =>
      expect(page.getByRole('contentinfo').getByRole('link', { name: /^Privacy Policy/ })).toHaveAttribute(
        'href',
        terms,
      ),
    );
  });

  test(`${label}: the terms have the required texts, and Go Back leaves them`, async ({ page }) => {
    await page.goto(`${site(label)}${form}`);
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: /^Privacy Policy/ })
      .click();
    await page.waitForURL(`${site(label)}${terms}`);
    await expectTermsText(page, label);
    await page.getByRole('button', { name: 'Go Back' }).first().click();
    await page.waitForURL(`${site(label)}${form}`);
  });

  test(`${label}: rows of four or more videos loop and autoplay`, async ({ page }) => {
    const { groups } = await firstOf(page, brand);
    groups[0].videos.length = 3;
    await removeEmbeddedReplies(page);
    await page.route(`**/api/tt/getcatvideos/${service}`, route =>
      route.fulfill({ json: groups.slice(0, 2) }),
    );
    await page.goto(`${site(label)}/`);
    const [short, long] = categories.map(each => page.getByRole('region', { name: each, exact: true })) as [
      Locator,
      Locator,
    ];
    const sentence =
      'Carousels are infinite only if more than 3 videos, move by themselves, 500 ms; the banner 800 ms';
    await prove(sentence, async () => {
      await long.scrollIntoViewIfNeeded();
      await expect.poll(() => settings(long)).toEqual({ speed: 500, loop: true, running: true });
      await expect(short.getByRole('listitem')).toHaveCount(3);
      await short.scrollIntoViewIfNeeded();
      await expect.poll(() => settings(short)).toEqual({ speed: 500, loop: false, running: true });
    });
    await long.scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Stop what moves' }), 'one for all').toHaveCount(1);
    await page.getByRole('button', { name: 'Stop what moves' }).tap();
    await expect.poll(async () => (await settings(long)).running, 'a visitor can stop it').toBe(false);
    expect((await settings(short)).running).toBe(false);
    await page.getByRole('button', { name: 'Let it move again' }).tap();
    await long.scrollIntoViewIfNeeded();
    await expect.poll(async () => (await settings(long)).running).toBe(true);
    await swipe(page, 'left', long.locator('.swiper-slide-active'));
    await expect.poll(async () => (await settings(long)).running, 'touched').toBe(false);
    await page.waitForTimeout(3500);
    expect((await settings(long)).running, 'for good').toBe(false);
    await expect.poll(async () => (await settings(short)).running, 'the others go on').toBe(true);

    const shown = () =>
      long.evaluate(each => {
        const box = each.getBoundingClientRect();
        const inside = ({ left, right }: DOMRect) => left > box.left - 8 && right < box.right + 8;
        return [...each.querySelectorAll('.swiper-slide')].filter(slide =>
          inside(slide.getBoundingClientRect()),
        ).length;
      });
    const menu = page.getByRole('button', { name: 'Open menu' });
    for (const [width, count] of [
      [767, 2],
      [768, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      await prove('VOD: a carousel per category, 4 visible, 2 on small screens', () =>
        expect.poll(shown, `${count} at ${width} px`).toBe(count),
      );
      await prove('The mobile breakpoint is 768 px', () =>
        expect(menu).toBeVisible({ visible: width < 768 }),
      );
    }
    await page.reload();
    await long.scrollIntoViewIfNeeded();
    await expect
      .poll(() => settings(long), 'a long row moves on a wide screen')
      .toMatchObject({ running: true });
    await expect(short.locator('.swiper'), 'three have no place to move to there').toHaveCount(0);
  });

  test(`${label}: nothing moves with reduced motion`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${site(label)}/`, { waitUntil: 'networkidle' });
    await expect(page.locator('.video-card').first()).toBeVisible();
    await expect(page.locator('.swiper')).toHaveCount(0);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  test(`${label}: without a subscription a category, a like and the watchlist open the operator's page`, async ({
    page,
  }) => {
    const { video } = await firstOf(page, brand);
    await page.goto(`${site(label)}/`);
    await prove(UNSUBSCRIBED, async () => {
      const heading = page.getByRole('main').getByRole('link', { name: categories[0] }).first();
      await expectOptInOpens(page, () => heading.click());
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('button', { name: 'CATEGORIES' }).click();
      await expectOptInOpens(page, () => page.locator('.menu-list a').first().click());
      await page.goto(`${site(label)}/ttsingle/${video}/${service}`);
      for (const mark of ['Like', 'Watchlist'])
        await expectOptInOpens(page, () => page.getByRole('button', { name: mark, exact: true }).click());

      // Likes stay after the subscription has lapsed.
      await openAsTestNumber(page, ...homeArgs);
      const lapsed = await page.context().newPage();
      const me = await page.evaluate(async () => (await fetch('/api/subscribe/me')).json());
      await lapsed.route('**/api/subscribe/me', route =>
        route.fulfill({ json: { ...me, state: 'suspended' } }),
      );
      await lapsed.route(`**/api/tt/mine/${service}`, route =>
        route.fulfill({ json: { liked: [video], watchlist: [video] } }),
      );
      await lapsed.goto(`${site(label)}/ttsingle/${video}/${service}`);
      await waitForHydration(lapsed);
      for (const mark of ['Like', 'Watchlist']) {
        const button = lapsed.getByRole('button', { name: mark, exact: true });
        await expect(button).toHaveAttribute('aria-pressed', 'true');
        await expectOptInOpens(lapsed, () => button.click());
        await expect(button).toHaveAttribute('aria-pressed', 'true');
      }
      await lapsed.close();
    });
  });

  test(`${label}: a failed removal shows an alert, a failed like is logged`, async ({ page, pageErrors }) => {
    await openAsTestNumber(page, ...homeArgs);
    const { video } = await firstOf(page, brand);
    await page.route(`**/api/tt/mine/${service}`, route =>
      route.fulfill({ json: { liked: [video], watchlist: [video] } }),
    );
    for (const call of ['unlikevideo', 'ttremove', 'likevideo', 'ttaddwatchlist'])
      await page.route(`**/api/tt/${call}`, route => route.fulfill(REFUSED));
    const messages: string[] = [];
    page.on('dialog', dialog => {
      messages.push(dialog.message());
      dialog.accept();
    });
    const like = page.getByRole('button', { name: 'Like', exact: true });
    const keep = page.getByRole('button', { name: 'Watchlist', exact: true });
    await page.goto(`${site(label)}/ttsingle/${video}/${service}`);
    const removals = [
      [like, 'A failed unlike of a video: alert "Failed to remove video. Please try again."'],
      [keep, 'A failed watchlist removal: alert "Failed to remove video. Please try again."'],
    ] as const;
    for (const [button, sentence] of removals) {
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      await prove(sentence, async () => {
        await button.click();
        await expect.poll(() => messages.splice(0)).toEqual([FAILED]);
        await expect(button).toHaveAttribute('aria-pressed', 'true');
      });
    }

    await page.route(`**/api/tt/mine/${service}`, route =>
      route.fulfill({ json: { liked: [], watchlist: [] } }),
    );
    await page.reload();
    await prove('All other failed calls are only logged: no toast, no alert', async () => {
      for (const button of [like, keep]) {
        await expect(button).toHaveAttribute('aria-pressed', 'false');
        const logged = page.waitForEvent('console', message => message.text().startsWith('Not saved'));
        await button.click();
        await logged;
        await expect(button).toHaveAttribute('aria-pressed', 'false');
      }
      await expect(page.locator('.Toastify__toast')).toHaveCount(0);
      expect(messages).toEqual([]);
    });
    expectOnlyRefused(pageErrors, '503');
  });
}

/** Expects the required texts of a terms page, with the brand's helpline and e-mail address. */
export async function expectTermsText(page: Page, label: string): Promise<void> {
  const text = page.getByRole('main');
  await prove('Terms: a Go Back button and long legal text', async () => {
    await expect(page.getByRole('button', { name: 'Go Back' }).first()).toBeVisible();
    await expect(text).toHaveText(/^[\s\S]{3000,}$/);
  });
  await prove('Terms: 18 or over and in South Africa', async () => {
    await expect(text).toContainText('18 years or older');
    await expect(text).toContainText('offered in South Africa only');
  });
  await prove('Terms: liability is limited to the amounts paid in the previous 12 months', () =>
    expect(text).toContainText('limited to the amounts you paid for it in the 12 months before'),
  );
  await prove('Terms: a helpline and a support e-mail', () =>
    expect(text).toContainText(new RegExp(`Helpline: 080 000 \\d{4}.*E-mail: help@${label}\\.example`)),
  );
}
