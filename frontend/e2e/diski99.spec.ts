import { expect } from '@playwright/test';
import { artistSite, openDeck } from './artists';
import { frontCard, openAsTestNumber, prove, removeEmbeddedReplies, site, test } from './visit';

artistSite({
  label: 'diski99',
  name: 'diski99',
  service: 'diski99',
  form: '/diskilogin',
  home: '/doRedirect',
  role: 'Footballer',
  api: '/api/diski',
  videosOf: (artist, count) => `/artistvideos/${artist}/diski99/${count}`,
  videos: /\/artistvideos\/\d+\/diski99\/1$/,
  video: /\/diskisingle\/\d+\/diski99\/\d+$/,
  related: /^\/diskisingle\/\d+\/diski99\/1$/,
  firstVideo: '/diskisingle/1/diski99/1',
  refused: '/diskilogin',
  says: {
    root: '/ on diski99 is the artist swipe home',
    form: '/diskilogin is the join form of the artist site',
    words:
      'Join, artists: "Welcome To" and the service name, "Watch unlimited! funny videos", "Enter your phone number : eg 812xxxxxx"',
    home: '/doRedirect is the artist swipe home',
    check: 'Check, result 1: /doRedirect on diski99',
    grid: '/artistvideos/:id/:service/:count are the videos of one artist',
    player: '/diskisingle/:id/:service/:mid is the single artist-site video player',
    plays: 'Video, football: a looping player that starts playing, with controls and no download',
    nav: 'Football: the top nav has Home and a list of artists',
    card: 'Football cards show artist name, "Footballer", #id and description',
    howTo: 'Football: a card explains what right and left mean',
    top: 'Football: the top card reads "COME BACK FOR MORE CONTENT SOON."',
    gate: 'Grids, football: a card opens the video when count is 1, otherwise /diskilogin',
    banner: 'Grids, football: the first video’s video_name and name are the banner title',
  },
});

test('diski99: related videos link with mid 1', async ({ page }) => {
  await openAsTestNumber(page, 'diski99', '/doRedirect', 'diski99');
  await page.goto(`${site('diski99')}/diskisingle/1/diski99/7`);
  await prove('Video, football: related videos link to /diskisingle/{videoid}/diski99/1', async () => {
    const related = page.locator('.related .video-card');
    await expect(related.first()).toBeVisible();
    for (const card of await related.all())
      await expect(card).toHaveAttribute('href', /^\/diskisingle\/\d+\/diski99\/1$/);
  });
});

test('diski99: artists are requested for the service diski99', async ({ page }) => {
  await removeEmbeddedReplies(page);
  await prove('Video service name diski99', async () => {
    const requested = page.waitForRequest('**/api/diski/fetchArtist?*');
    await page.goto(`${site('diski99')}/`);
    expect(new URL((await requested).url()).searchParams.get('service')).toBe('diski99');
  });
});

test('diski99: icons disappear after a second, and the videos open two seconds after a right swipe', async ({
  page,
}) => {
  await openDeck(page, 'diski99');
  const icon = page.locator('.deck-icon');
  const front = frontCard(page);
  await prove('Football: left shows a cross, and icons clear after 1 second', async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(icon).toHaveAttribute('data-icon', 'left');
    await page.clock.runFor(999);
    await expect(icon).toHaveCount(1);
    await page.clock.runFor(1);
    await expect(icon).toHaveCount(0);
    await expect(front).toContainText('Footballer #3');
  });
  await prove(
    'Football: right shows a heart and goes to the artist’s videos after 2 seconds with count 1',
    async () => {
      const before = page.url();
      await page.keyboard.press('ArrowRight');
      await expect(icon).toHaveAttribute('data-icon', 'right');
      await page.clock.runFor(1000);
      await expect(icon).toHaveCount(0);
      await page.clock.runFor(999);
      expect(page.url()).toBe(before);
      await page.clock.runFor(1);
      await page.waitForURL(`${site('diski99')}/artistvideos/3/diski99/1`);
    },
  );
});
