/// <reference types="node" />
/** A stream in place of a film: the demo pack has files only. It is ours, of two renditions, four seconds long. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { arrive, withoutReplies } from './visit';

export const fileName = (address: string) => new URL(address).pathname.split('/').at(-1) ?? '';

/** Answers the first video of MC Funny as a stream; the list grows by every segment that is asked for. */
export async function streamed(page: Page): Promise<string[]> {
  const segments: string[] = [];
  await arrive(page, 'mcfunny', '/redirect', 'MC Funny');
  const list = await page.evaluate(async () => (await fetch('/api/madfunny/fetchsingle/1')).json());
  await withoutReplies(page);
  list[0].vurl = '/media/mcfunny/stream/main.m3u8';
  await page.route('**/api/madfunny/fetchsingle/1', route => route.fulfill({ json: list }));
  await page.route('**/media/mcfunny/stream/*', route => {
    const file = fileName(route.request().url());
    if (file.endsWith('.seg')) segments.push(file);
    return route.fulfill({
      body: readFileSync(new URL(`stream/${file}`, import.meta.url)),
      contentType: file.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp2t',
    });
  });
  return segments;
}

export const clock = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);

/** A line to the media that a test cuts and mends. What is asked for while it is cut fails as without a connection. */
export type Line = { cut: boolean };

/** The first video of MC Funny as a stream of two minutes, of which the player has fetched half a minute at most. */
export async function longStream(page: Page, line: Line): Promise<string[]> {
  const segments = await streamed(page);
  await page.route(/stream\/(low|high)\.m3u8/, route => {
    const list = readFileSync(new URL(`stream/${fileName(route.request().url())}`, import.meta.url), 'utf8');
    const [, head = '', part = ''] = /^([\s\S]*?)(#EXTINF[\s\S]*)#EXT-X-ENDLIST/.exec(list) ?? [];
    const body = `${head}${Array(30).fill(part).join('#EXT-X-DISCONTINUITY\n')}#EXT-X-ENDLIST\n`;
    return route.fulfill({ body, contentType: 'application/vnd.apple.mpegurl' });
  });
  await page.route('**/media/mcfunny/stream/*', route =>
    line.cut ? route.abort('internetdisconnected') : route.fallback(),
  );
  return segments;
}
