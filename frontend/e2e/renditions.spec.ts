/// <reference types="node" />
/** The two-minute film made by `content transcode`: every rendition plays with sound, after every seek. */
import { expect, type Page } from '@playwright/test';
import { openAsTestNumber, openSettings, site, test } from './visit';

const FILM = '/media/mcfunny/the-last-two-minutes/master.m3u8';
const HEIGHTS = [144, 240, 360, 480, 720];

/** Opens the film as a subscriber, on a screen that fits every rendition, with "Save data" chosen. */
async function openFilm(page: Page): Promise<string> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const videos = await page.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1')).json());
  const film = videos.find(({ vurl }: { vurl: string }) => vurl === FILM);
  expect(film, 'the film is among the first comedian’s videos').toBeDefined();
  await page.evaluate(() => localStorage.setItem('spaza.quality', 'low'));
  return `${site('mcfunny')}/video/${film.videoid}/MC%20Funny/1`;
}

/** Removes all renditions but the lowest and one other from the master playlist, so that "Best picture" plays that one. */
async function keepRendition(page: Page, height: number): Promise<void> {
  const master = await page.evaluate(async address => {
    const reply = await fetch(address);
    return reply.ok ? reply.text() : `${reply.status}: there is no rendition below the media folder`;
  }, FILM);
  const [head, ...renditions] = master.split('#EXT-X-STREAM-INF:');
  const kept = renditions.filter(rendition =>
    [HEIGHTS[0], height].some(each => rendition.includes(`\n${each}p/`)),
  );
  expect(kept, master).toHaveLength(height === HEIGHTS[0] ? 1 : 2);
  await page.route(`**${FILM}`, route =>
    route.fulfill({
      body: [head, ...kept].join('#EXT-X-STREAM-INF:'),
      contentType: 'application/vnd.apple.mpegurl',
    }),
  );
}

/** The numbers of played frames and audio bytes, and the picture's height. */
const shown = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    height: video.videoHeight,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    // Chromium's counter: no standard API tells whether audio is decoded.
    sound: (video as HTMLVideoElement & { webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount,
    source: video.currentSrc.split(':')[0],
  }));

/** Expects frames of this height, with audio. */
async function plays(page: Page, height: number): Promise<void> {
  await expect.poll(async () => (await shown(page)).height, `${height} lines`).toBe(height);
  const before = await shown(page);
  await expect.poll(async () => (await shown(page)).frames).toBeGreaterThan(before.frames + 10);
  await expect.poll(async () => (await shown(page)).sound).toBeGreaterThan(before.sound);
  const { height: still, source } = await shown(page);
  expect({ still, source }).toEqual({ still: height, source: 'blob' });
}

for (const height of HEIGHTS)
  test(`${height} lines are switched to and play`, async ({ page }) => {
    const film = await openFilm(page);
    await keepRendition(page, height);
    await page.goto(film);
    await plays(page, 144);
    await openSettings(page);
    const quality = page.getByRole('combobox', { name: 'Quality' });
    await quality.selectOption('Best picture');
    await plays(page, height);
    await quality.selectOption('Save data');
    await plays(page, 144);
  });

test('Best picture plays the largest rendition, Save data the smallest', async ({ page }) => {
  await page.goto(await openFilm(page));
  await plays(page, 144);
  await openSettings(page);
  const quality = page.getByRole('combobox', { name: 'Quality' });
  await quality.selectOption('Best picture');
  await plays(page, 720);
  await quality.selectOption('Automatic');
  await quality.selectOption('Save data');
  await plays(page, 144);
});

test('a film seeks to its middle, resumes there after a reload, and changes its quality there', async ({
  page,
}) => {
  await page.goto(await openFilm(page));
  await plays(page, 144);
  const video = page.locator('video');
  const clock = () => video.evaluate((each: HTMLVideoElement) => each.currentTime);
  const length = await video.evaluate((each: HTMLVideoElement) => each.duration);
  expect(length).toBeGreaterThanOrEqual(120);
  await video.evaluate((each: HTMLVideoElement) => {
    each.currentTime = each.duration / 2;
  });
  await plays(page, 144);
  const left = await clock();
  expect(left).toBeGreaterThan(length / 2);
  expect(left).toBeLessThan(length / 2 + 30);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible();
  await plays(page, 144);
  expect(await clock()).toBeGreaterThanOrEqual(Math.floor(left));

  await openSettings(page);
  const quality = page.getByRole('combobox', { name: 'Quality' });
  await quality.selectOption('Best picture');
  await plays(page, 720);
  expect(await clock()).toBeGreaterThan(left);
  expect(await clock()).toBeLessThan(length);
  await quality.selectOption('Save data');
  await plays(page, 144);
});
