/// <reference types="node" />
/** A film as editors make it, by `content transcode`: every rung plays, with its sound. `.ci/browser-tests` has made it. */
import { expect, type Page } from '@playwright/test';
import { arrive, site, test, withoutReplies } from './visit';

const FILM = '/media/mcfunny/rungs/master.m3u8';
const RUNGS = [144, 240, 360, 480, 720];

/** The player of the first video of MC Funny, on a screen that no rung is too large for; its film is ours. */
async function player(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  await arrive(page, 'mcfunny', '/redirect', 'MC Funny');
  const list = await page.evaluate(async () => (await fetch('/api/madfunny/fetchsingle/1')).json());
  await withoutReplies(page);
  list[0].vurl = FILM;
  await page.route('**/api/madfunny/fetchsingle/1', route => route.fulfill({ json: list }));
  await page.addInitScript(() => localStorage.setItem('spaza.quality', 'low'));
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
    await player(page);
    await onlyRung(page, height);
    await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
    await plays(page, 144);
    const quality = page.getByRole('combobox', { name: 'Quality' });
    await quality.selectOption('Best picture');
    await plays(page, height);
    await quality.selectOption('Save data');
    await plays(page, 144);
  });

test('of all rungs the best picture is the largest, and saving data the smallest', async ({ page }) => {
  await player(page);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await plays(page, 144);
  const quality = page.getByRole('combobox', { name: 'Quality' });
  await quality.selectOption('Best picture');
  await plays(page, 720);
  await quality.selectOption('Automatic');
  await quality.selectOption('Save data');
  await plays(page, 144);
});
