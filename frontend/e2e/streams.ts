/// <reference types="node" />
/** A test stream of two renditions, four seconds long, in place of a file. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { openAsTestNumber, removeEmbeddedReplies } from './visit';

export const fileName = (address: string) => new URL(address).pathname.split('/').at(-1) ?? '';

const TYPES: Record<string, string> = { '.m3u8': 'application/vnd.apple.mpegurl', '.m4a': 'audio/mp4' };

/** Serves the first video of MC Funny as a stream. The returned list grows with every requested segment. */
export async function streamed(page: Page): Promise<string[]> {
  const segments: string[] = [];
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const list = await page.evaluate(async () => (await fetch('/api/madfunny/fetchsingle/1')).json());
  await removeEmbeddedReplies(page);
  list[0].vurl = '/media/mcfunny/stream/main.m3u8';
  await page.route('**/api/madfunny/fetchsingle/1', route => route.fulfill({ json: list }));
  await page.route('**/media/mcfunny/stream/*', route => {
    const file = fileName(route.request().url());
    if (file.endsWith('.seg')) segments.push(file);
    return route.fulfill({
      body: readFileSync(new URL(`stream/${file}`, import.meta.url)),
      contentType: TYPES[file.slice(file.lastIndexOf('.'))] ?? 'video/mp2t',
    });
  });
  return segments;
}

export const clock = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);

/** The connection to the media. While it is cut, requests fail as offline. */
export type Connection = { cut: boolean };

/** Serves the first video of MC Funny as a stream of two minutes. */
export async function longStream(page: Page, connection: Connection): Promise<string[]> {
  const segments = await streamed(page);
  await page.route(/stream\/(low|high)\.m3u8/, route => {
    const list = readFileSync(new URL(`stream/${fileName(route.request().url())}`, import.meta.url), 'utf8');
    const [, head = '', part = ''] = /^([\s\S]*?)(#EXTINF[\s\S]*)#EXT-X-ENDLIST/.exec(list) ?? [];
    const body = `${head}${Array(30).fill(part).join('#EXT-X-DISCONTINUITY\n')}#EXT-X-ENDLIST\n`;
    return route.fulfill({ body, contentType: 'application/vnd.apple.mpegurl' });
  });
  await page.route('**/media/mcfunny/stream/*', route =>
    connection.cut ? route.abort('internetdisconnected') : route.fallback(),
  );
  return segments;
}
