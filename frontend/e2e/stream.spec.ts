/// <reference types="node" />
/** A stream of two renditions: what it costs, and who decides. The demo pack has files only, so the stream is ours, four seconds long. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { arrive, site, test, withoutReplies } from './visit';

/** Answers the first video of MC Funny as a stream; the list grows by every segment that is asked for. */
async function streamed(page: Page): Promise<string[]> {
  const segments: string[] = [];
  await arrive(page, 'mcfunny', '/redirect', 'MC Funny');
  const list = await page.evaluate(async () => (await fetch('/api/madfunny/fetchsingle/1')).json());
  await withoutReplies(page);
  list[0].vurl = '/media/mcfunny/stream/main.m3u8';
  await page.route('**/api/madfunny/fetchsingle/1', route => route.fulfill({ json: list }));
  await page.route('**/media/mcfunny/stream/*', route => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    if (name.endsWith('.seg')) segments.push(name);
    return route.fulfill({
      body: readFileSync(new URL(`stream/${name}`, import.meta.url)),
      contentType: name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp2t',
    });
  });
  return segments;
}

const clock = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);

test('a stream plays, and its quality can be chosen and is remembered', async ({ page }) => {
  const segments = await streamed(page);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  const quality = page.getByRole('combobox', { name: 'Quality' });
  await expect(quality).toHaveValue('auto');
  await quality.selectOption('Save data');
  await page.reload();
  await expect(quality).toHaveValue('low');
  segments.length = 0;
  await page.reload();
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  expect(segments.length).toBeGreaterThan(0);
  expect(segments.filter(name => !name.startsWith('low'))).toEqual([]);
});

test('a phone that saves data begins with the least', async ({ page, context }) => {
  const segments = await streamed(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect(page.getByRole('combobox', { name: 'Quality' })).toHaveValue('low');
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  expect(segments.filter(name => !name.startsWith('low'))).toEqual([]);
});

test('a video goes on where it was left', async ({ page }) => {
  await arrive(page, 'mcfunny', '/redirect', 'MC Funny');
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.readyState)).toBeGreaterThan(1);
  await video.evaluate(async (each: HTMLVideoElement) => {
    each.pause();
    each.currentTime = 3.5;
  });
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.seeking)).toBe(false);
  await page.reload();
  const again = page.getByRole('button', { name: 'Start over' });
  await expect(again).toBeVisible();
  await again.click();
  await expect(again).toBeHidden();
});
