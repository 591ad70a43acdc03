/// <reference types="node" />
/** The film of two minutes, made by `content transcode` as editors make theirs: every rung plays, with its sound, wherever one seeks to. */
import { expect, type Page } from '@playwright/test';
import { arrive, site, test } from './visit';

const FILM = '/media/mcfunny/the-last-two-minutes/master.m3u8';
const RUNGS = [144, 240, 360, 480, 720];

/** Opens the film on a screen that no rung is too large for; the phone has chosen to save data. */
async function subscriber(page: Page): Promise<string> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await arrive(page, 'mcfunny', '/redirect', 'MC Funny');
  const videos = await page.evaluate(async () => (await fetch('/api/madfunny/fetchVideos/1')).json());
  const film = videos.find(({ vurl }: { vurl: string }) => vurl === FILM);
  expect(film, 'the film is among the first comedian’s videos').toBeDefined();
  await page.evaluate(() => localStorage.setItem('spaza.quality', 'low'));
  return `${site('mcfunny')}/video/${film.videoid}/MC%20Funny/1`;
}

/** Leaves the least rung and one other in the master playlist, so that the best picture is that one. */
async function onlyRung(page: Page, height: number): Promise<void> {
  const master = await page.evaluate(async address => {
    const reply = await fetch(address);
    return reply.ok ? reply.text() : `${reply.status}: there is no rendition below the media folder`;
  }, FILM);
  const [head, ...rungs] = master.split('#EXT-X-STREAM-INF:');
  const kept = rungs.filter(rung => [RUNGS[0], height].some(each => rung.includes(`\n${each}p/`)));
  expect(kept, master).toHaveLength(height === RUNGS[0] ? 1 : 2);
  await page.route(`**${FILM}`, route =>
    route.fulfill({
      body: [head, ...kept].join('#EXT-X-STREAM-INF:'),
      contentType: 'application/vnd.apple.mpegurl',
    }),
  );
}

/** What has been shown and heard so far, and how high the picture is. */
const shown = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    height: video.videoHeight,
    frames: video.getVideoPlaybackQuality().totalVideoFrames,
    // Chromium's own count: there is no other way to tell silence from a sound.
    sound: (video as HTMLVideoElement & { webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount,
    source: video.currentSrc.split(':')[0],
  }));

/** Pictures of this height come, and sound with them. */
async function plays(page: Page, height: number): Promise<void> {
  await expect.poll(async () => (await shown(page)).height, `${height} lines`).toBe(height);
  const before = await shown(page);
  await expect.poll(async () => (await shown(page)).frames).toBeGreaterThan(before.frames + 10);
  await expect.poll(async () => (await shown(page)).sound).toBeGreaterThan(before.sound);
  const { height: still, source } = await shown(page);
  expect({ still, source }).toEqual({ still: height, source: 'blob' });
}

for (const height of RUNGS)
  test(`${height} lines are switched to and play`, async ({ page }) => {
    const film = await subscriber(page);
    await onlyRung(page, height);
    await page.goto(film);
    await plays(page, 144);
    const quality = page.getByRole('combobox', { name: 'Quality' });
    await quality.selectOption('Best picture');
    await plays(page, height);
    await quality.selectOption('Save data');
    await plays(page, 144);
  });

test('of all rungs the best picture is the largest, and saving data the smallest', async ({ page }) => {
  await page.goto(await subscriber(page));
  await plays(page, 144);
  const quality = page.getByRole('combobox', { name: 'Quality' });
  await quality.selectOption('Best picture');
  await plays(page, 720);
  await quality.selectOption('Automatic');
  await quality.selectOption('Save data');
  await plays(page, 144);
});

test('a film is sought to its middle, goes on there after a reload, and changes its quality there', async ({
  page,
}) => {
  await page.goto(await subscriber(page));
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

  const quality = page.getByRole('combobox', { name: 'Quality' });
  await quality.selectOption('Best picture');
  await plays(page, 720);
  expect(await clock()).toBeGreaterThan(left);
  expect(await clock()).toBeLessThan(length);
  await quality.selectOption('Save data');
  await plays(page, 144);
});
