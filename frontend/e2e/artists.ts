/** Tests for both comedy and football; tests of a single brand are in the brand's spec. */
import { expect } from '@playwright/test';
import type { Sentence } from './sentences';
import {
  checkPages,
  expectNoAccess,
  expectNoAxeFindings,
  expectPlaying,
  expectSmallFirstVisit,
  frontCard,
  join,
  openAsTestNumber,
  prove,
  removeEmbeddedReplies,
  screenshot,
  site,
  stopClock,
  swipe,
  swipeFirstArtist,
  test,
  watchIcons,
} from './visit';

export type ArtistSite = {
  label: string;
  name: string;
  service: string;
  form: string;
  home: string;
  role: 'Comedian' | 'Footballer';
  /** The prefix of its API calls. */
  api: string;
  /** Addresses, percent-encoded. */
  videosOf: (artist: number, flag: '0' | '1') => string;
  videos: RegExp;
  video: RegExp;
  related: RegExp;
  firstVideo: string;
  /** Where a video leads without a subscription. */
  refused: string;
  says: Record<
    | 'root'
    | 'form'
    | 'words'
    | 'home'
    | 'check'
    | 'grid'
    | 'player'
    | 'plays'
    | 'nav'
    | 'card'
    | 'howTo'
    | 'top'
    | 'gate'
    | 'banner',
    Sentence
  >;
  /** Further addresses, of this brand only. */
  more?: Parameters<typeof checkPages>[2];
};

const COME_BACK = 'COME BACK FOR MORE CONTENT SOON.';
const DATE = /\d{1,2} [A-Z]+, \d{4}/;

/** Joins, swipes the first artist to the right, and watches. */
export function joinAndWatch(
  brand: Pick<ArtistSite, 'label' | 'form' | 'home' | 'videos' | 'video' | 'related'>,
  says: Pick<ArtistSite['says'], 'check' | 'plays'>,
) {
  const { label, form, home, videos, video, related } = brand;
  test(`${label}: join, swipe right, watch`, async ({ page, browser }) => {
    await join({ page, label, form, home, leads: says.check });
    await swipeFirstArtist(page);
    await screenshot(page, `${label}-home`);
    await expectNoAxeFindings(page);

    const icons = await watchIcons(page);
    await swipe(page, 'right');
    await page.waitForURL(videos);
    expect(await icons()).toEqual(['right']);
    // The home's plain list of artists is in the page, too, and is not shown.
    const first = page.locator('.video-card').locator('visible=true').first();
    const title = await first.locator('.video-card-title').textContent();
    await first.click();
    await page.waitForURL(video);
    await prove(says.plays, () => expectPlaying(page));
    await prove('Video: video name, artist name, a date like "5 MARCH, 2024"', async () => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
      await expect(page.locator('.watch-text p').first()).toHaveText(/^\S.+ · \d{1,2} [A-Z]+, \d{4}$/);
    });
    await prove('Video: a "Related Videos" grid', async () => {
      await expect(page.getByRole('heading', { name: 'Related Videos' })).toBeVisible();
      await expect(page.locator('.related .grid .video-card').first()).toHaveAttribute('href', related);
    });
    await screenshot(page, `${label}-player`);
    await expectNoAccess(browser, page.url());
  });
}

export function artistSite(brand: ArtistSite) {
  const { label, name, service, form, home, role, api, videosOf, firstVideo, refused, says } = brand;
  const member = `${home}?service=${encodeURIComponent(service)}&msisdn=27600000000&result=active`;
  const homeArgs = [label, home, service] as const;

  joinAndWatch(brand, says);

  test(`${label}: every address, on phones and desktops`, async ({ page, browser }) => {
    await checkPages(page, label, [
      { address: '/', shows: 'Swipe right if you like what you see.', name: 'front', proves: [says.root] },
      {
        address: `${form}?ext_ref=x`,
        shows: new RegExp(`Welcome To ${name}\\s*Watch unlimited! funny videos`),
        name: 'form',
        proves: [says.form],
      },
      { address: videosOf(1, '0'), shows: role, name: 'videos-visitor' },
      { address: firstVideo, shows: `Join ${name} to watch`, name: 'gate' },
      { address: '/artists', shows: '6 found', name: 'all-artists' },
      { address: '/subscription', shows: 'Other ways to stop', name: 'leave' },
      { address: '/search?q=taxi', shows: /\d+ found/, name: 'search' },
      { address: '/nowhere/at/all', shows: 'We looked everywhere.', name: 'lost' },
    ]);
    await openAsTestNumber(page, ...homeArgs);
    await checkPages(page, label, [
      { address: member, shows: COME_BACK, name: 'member', proves: [says.home] },
      { address: videosOf(1, '1'), shows: DATE, name: 'videos', proves: [says.grid] },
      { address: firstVideo, shows: 'Related Videos', name: 'video', proves: [says.player] },
      { address: '/subscription', shows: 'Unsubscribe now', name: 'subscription' },
      ...(brand.more ?? []),
    ]);
    await expectSmallFirstVisit(browser, `${site(label)}/`);
  });

  test(`${label}: the texts of the join form`, async ({ page }) => {
    await page.goto(site(label) + form);
    await prove(says.words, async () => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome To ${name}`);
      await expect(page.getByText('Watch unlimited! funny videos', { exact: true })).toBeVisible();
      await expect(page.getByPlaceholder('Enter your phone number : eg 812xxxxxx')).toBeVisible();
    });
    await prove('R3 per day, 18+, South Africa only', async () => {
      await expect(page.getByRole('main')).toContainText('R3/day · 18+ · how to stop');
      await expect(page.getByRole('contentinfo')).toContainText('R3/day · 18+ · South Africa only');
    });
  });

  test(`${label}: the deck by touch, keys and buttons`, async ({ page }) => {
    await openAsTestNumber(page, ...homeArgs);
    const front = frontCard(page);
    await prove(says.top, () =>
      expect(page.locator('.deck-card').first(), 'first in the document').toHaveText(COME_BACK),
    );

    const artists = await page.evaluate(
      async ([prefix, of]) => (await fetch(`${prefix}/fetchArtist?service=${encodeURIComponent(of)}`)).json(),
      [api, service] as const,
    );
    const icons = await watchIcons(page);
    await prove(says.card, async () => {
      await expect(front.locator('.artist-card-role')).toHaveText(`${role} #${artists[0].id}`);
      await expect(front.getByRole('heading')).toHaveText(artists[0].artist);
      await expect(front.locator('.artist-card-about')).toHaveText(artists[0].description);
      await expect
        .poll(() => front.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(100);
    });
    await page.keyboard.press('ArrowLeft');
    await prove(says.howTo, async () => {
      await expect(front).toContainText('Swipe right if you like what you see.');
      await expect(front).toContainText('Swipe left if you want to see something else.');
      if (role === 'Comedian') await expect(front).toContainText('HOW TO USE THE SITE:');
    });
    await page.keyboard.press('ArrowLeft');
    await expect(
      page.getByText(`Now ${artists[1].artist}, ${role}`),
      'told to a screen reader',
    ).toBeAttached();
    await page.getByRole('button', { name: 'Skip: next card' }).click();
    await expect(front).toContainText(`#${artists[2].id}`);
    await expect.poll(icons).toEqual(['left', 'left', 'left']);
    await swipe(page, 'left');
    for (const { id } of artists.slice(3)) {
      await expect(front).toContainText(`#${id}`);
      await page.keyboard.press('ArrowLeft');
    }
    await prove(says.top, () => expect(front, 'on top of the emptied deck').toHaveText(COME_BACK));
    await page.keyboard.press('ArrowLeft');
    await swipe(page, 'left');
    await expect(front, 'the last card stays').toHaveText(COME_BACK);
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect(front).toContainText(`#${artists[0].id}`);
  });

  test(`${label}: the menu has Home and one link per artist, which counts as a subscription`, async ({
    page,
  }) => {
    await page.goto(site(label) + videosOf(1, '0'));
    await prove(says.gate, () =>
      expect(page.locator('.video-card').first()).toHaveAttribute('href', refused),
    );
    const artists = await page.evaluate(
      async ([prefix, of]) => (await fetch(`${prefix}/fetchArtist?service=${encodeURIComponent(of)}`)).json(),
      [api, service] as const,
    );
    const menu = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await prove(says.nav, async () => {
      await expect(menu.getByRole('link', { name: 'HOME', exact: true })).toHaveAttribute(
        'href',
        `${home}?service=${encodeURIComponent(service)}&msisdn=&result=active`,
      );
      await expect(menu.locator('.nav-scroll a')).toHaveText(
        artists.map((each: { artist: string }) => each.artist),
      );
    });
    await prove('Grids: the artist can be switched in place', async () => {
      await menu.getByRole('link', { name: artists[1].artist }).click();
      await page.waitForURL(`${site(label)}${videosOf(artists[1].id, '1')}`);
      await expect(page.locator('.eyebrow').first()).toHaveText(`${role} · ${artists[1].artist}`);
      // The chosen one stands first.
      await expect(page.locator('.artist-rail a').first()).toHaveAttribute('aria-current', 'page');
      await page.locator('.artist-rail a').nth(1).click();
      await prove('Grids: the count passed from the artist menu is 1', () =>
        page.waitForURL(`${site(label)}${videosOf(artists[0].id, '1')}`),
      );
    });
    await prove(says.gate, () =>
      expect(page.locator('.video-card').first()).toHaveAttribute('href', brand.video),
    );

    const [first] = await page.evaluate(
      async ([prefix, id]) => (await fetch(`${prefix}/fetchVideos/${id}`)).json(),
      [api, artists[0].id] as const,
    );
    await prove(says.banner, () =>
      expect(page.getByRole('heading', { level: 1 })).toHaveText(
        role === 'Comedian' ? first.video_name : `${first.video_name} · ${first.name}`,
      ),
    );
    await prove('Grids: a card has image, video_name and date', async () => {
      const card = page.locator('.video-card').first();
      await expect(card.locator('.video-card-title')).toHaveText(first.video_name);
      await expect(card.locator('.video-card-note')).toHaveText(DATE);
      await expect
        .poll(() => card.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(100);
    });
  });

  test(`${label}: a related reply that is not an array counts as empty`, async ({ page }) => {
    await page.route(`**${api}/common/*`, route => route.fulfill({ json: { oops: true } }));
    await removeEmbeddedReplies(page);
    await page.goto(site(label) + firstVideo);
    await prove('Related videos are used only if the response is an array', async () => {
      await expect(page.locator('.related')).toContainText('Nothing related yet.');
      await expect(page.locator('.related .video-card')).toHaveCount(0);
    });
  });

  test(`${label}: nothing moves with reduced motion`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${site(label)}/`);
    await swipeFirstArtist(page);
    await page.keyboard.press('ArrowLeft');
    const card = frontCard(page);
    await expect(card).toContainText('#3');
    expect(await card.evaluate(each => getComputedStyle(each).transitionDuration)).toMatch(/^0s(, 0s)*$/);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
}

/** Opens the deck of a brand's front page behind its first artist, with a clock that the test controls. */
export async function openDeck(page: Parameters<typeof stopClock>[0], label: string): Promise<void> {
  await page.clock.install();
  await page.goto(`${site(label)}/`);
  await swipeFirstArtist(page);
  await stopClock(page);
}
