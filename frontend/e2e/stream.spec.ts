/// <reference types="node" />
/**
 * A stream of two renditions: what it costs, and who decides. This one is four seconds long, so that a test knows each segment.
 * And what a phone remembers of every video: where it was left, and whether its captions are read.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { clock, fileName, type Line, longStream, streamed } from './streams';
import { accessible, arrive, onlyRefused, shot, site, test } from './visit';

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

test('no more than half a minute is fetched ahead, and the quality changes while it plays', async ({
  page,
}) => {
  const segments = await streamed(page);
  // Two minutes of the same four seconds.
  await page.route(/stream\/(low|high)\.m3u8/, route => {
    const list = readFileSync(new URL(`stream/${fileName(route.request().url())}`, import.meta.url), 'utf8');
    const [, head = '', part = ''] = /^([\s\S]*?)(#EXTINF[\s\S]*)#EXT-X-ENDLIST/.exec(list) ?? [];
    const body = `${head}${Array(30).fill(part).join('#EXT-X-DISCONTINUITY\n')}#EXT-X-ENDLIST\n`;
    return route.fulfill({ body, contentType: 'application/vnd.apple.mpegurl' });
  });
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  const video = page.locator('video');
  const ahead = () =>
    video.evaluate(({ buffered, currentTime }: HTMLVideoElement) =>
      buffered.length > 0 ? buffered.end(buffered.length - 1) - currentTime : 0,
    );
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  await video.evaluate((each: HTMLVideoElement) => each.pause());
  await expect.poll(ahead, 'as much as it may').toBeGreaterThan(24);
  // Whoever pauses is soon sent nothing more: the player looks every tenth of a second whether it wants another one.
  const within = async (milliseconds: number) => {
    const count = segments.length;
    await page.waitForTimeout(milliseconds);
    return segments.length - count;
  };
  await expect.poll(() => within(500)).toBe(0);
  expect(await within(2000)).toBe(0);
  expect(await ahead()).toBeLessThanOrEqual(30);

  const quality = page.getByRole('combobox', { name: 'Quality' });
  for (const [words, rendition] of [
    ['Save data', 'low'],
    ['Best picture', 'high'],
    ['Save data', 'low'],
  ] as const) {
    await quality.selectOption(words);
    segments.length = 0;
    await video.evaluate((each: HTMLVideoElement) => {
      each.currentTime += 35;
    });
    await expect.poll(() => segments.some(each => each.startsWith(rendition)), words).toBe(true);
  }
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

const WAITING = 'Waiting for the connection. The video goes on by itself.';

/** The first video of MC Funny as a file that comes in small pieces; the second half needs the line. */
async function pieces(page: Page, line: Line) {
  const piece = 16 * 1024;
  await arrive(page, 'mcfunny', '/redirect', 'MC Funny');
  const [{ vurl }] = await page.evaluate(async () => (await fetch('/api/madfunny/fetchsingle/1')).json());
  const bytes = Buffer.from(
    await page.evaluate(
      async address => [...new Uint8Array(await (await fetch(address)).arrayBuffer())],
      vurl as string,
    ),
  );
  line.cut = true;
  await page.route(`**${vurl}*`, route => {
    const head = route.request().method() === 'HEAD';
    const from = Number(/bytes=(\d+)/.exec(route.request().headers().range ?? '')?.[1] ?? 0);
    if (line.cut && (head || from > bytes.length / 2)) return route.abort('internetdisconnected');
    if (head) return route.continue();
    const body = bytes.subarray(from, from + piece);
    return route.fulfill({
      status: 206,
      body,
      headers: {
        'content-type': 'video/mp4',
        'accept-ranges': 'bytes',
        'content-range': `bytes ${from}-${from + body.length - 1}/${bytes.length}`,
      },
    });
  });
}

/** Opens the video, and leaves it where nothing more of it comes. */
async function runDry(page: Page, line: Line): Promise<void> {
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  if (!line.cut) {
    line.cut = true;
    await page.locator('video').evaluate((each: HTMLVideoElement) => {
      each.currentTime = each.buffered.end(each.buffered.length - 1) - 0.5;
    });
  }
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(page.locator('.Toastify__toast, [role=alert]')).toHaveCount(0);
}

for (const [kind, prepare] of [
  ['a stream', longStream],
  ['a file', pieces],
] as const) {
  test(`${kind} that loses its line says so, and goes on at the same place when the line is back`, async ({
    page,
    mishaps,
  }) => {
    const line = { cut: false };
    await prepare(page, line);
    await runDry(page, line);
    await accessible(page);
    await shot(page, `mcfunny-line-lost-${kind.split(' ')[1]}`);
    const at = await clock(page);
    expect(at).toBeGreaterThan(0.2);
    line.cut = false;
    await expect(page.getByText(WAITING)).toBeHidden();
    await expect.poll(() => clock(page)).toBeGreaterThan(at);
    expect(await clock(page)).toBeLessThan(at + 30);
    onlyRefused(mishaps, 'ERR_INTERNET_DISCONNECTED');
  });

  test(`${kind} that has been without a line for a minute goes on at a tap`, async ({ page, mishaps }) => {
    const line = { cut: false };
    await page.clock.install();
    await prepare(page, line);
    await runDry(page, line);
    const at = await clock(page);
    // Whatever gives up in the meantime has given up.
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await page.clock.fastForward(10_000);
      await page.waitForTimeout(1500);
    }
    line.cut = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(WAITING)).toBeHidden();
    await expect.poll(() => clock(page)).toBeGreaterThan(at);
    expect(await page.locator('video').evaluate((each: HTMLVideoElement) => each.paused)).toBe(false);
    onlyRefused(mishaps, 'ERR_INTERNET_DISCONNECTED');
  });
}

test('a film goes on by itself when the browser tells that the connection is back', async ({
  page,
  context,
  mishaps,
}) => {
  const line = { cut: false };
  await longStream(page, line);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  line.cut = true;
  await context.setOffline(true);
  await page.locator('video').evaluate((each: HTMLVideoElement) => {
    each.currentTime = each.buffered.end(each.buffered.length - 1) - 0.2;
  });
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeVisible();
  const at = await clock(page);
  line.cut = false;
  await context.setOffline(false);
  await expect(page.getByText(WAITING)).toBeHidden();
  await expect.poll(() => clock(page)).toBeGreaterThan(at);
  onlyRefused(mishaps, 'ERR_INTERNET_DISCONNECTED');
});

/** What the browser itself shows of the captions now. */
const words = (page: Page) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => {
    const [track] = video.textTracks;
    const cues = [...(track?.activeCues ?? [])] as VTTCue[];
    return { mode: track?.mode, language: track?.language, cues: cues.map(({ text }) => text) };
  });

for (const [label, home, service, find, first] of [
  ['mcfunny', '/redirect', 'MC Funny', 'The Kettle Conspiracy', 'It boils at 5:59!'],
  ['diski99', '/doRedirect', 'diski99', 'Turbo versus the Taxi', 'Turbo: Even the taxi hooted'],
  ['ttmbhatv', '/ttredirect', 'ttmbhatv', 'The Blue Gate', 'He: You kept the land papers?'],
  ['racedaytv', '/ttredirect', 'raceday', 'Thembi Rides Tall', 'Thembi: I talk, he listens. Mostly.'],
] as const) {
  test(`${label}: captions are shown to who wants them, and to nobody else`, async ({ page }) => {
    await arrive(page, label, home, service);
    const asked: string[] = [];
    page.on('request', request => request.url().endsWith('.vtt') && asked.push(request.url()));
    await page.goto(`${site(label)}/search?q=${encodeURIComponent(find)}`);
    await page.locator('.video-card').first().click();
    const button = page.getByRole('button', { name: 'Captions' });
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
    expect(asked, 'not a byte for who does not read them').toEqual([]);

    const shown = async () => {
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      // Within the first words.
      await page.locator('video').evaluate((video: HTMLVideoElement) => {
        video.pause();
        video.currentTime = 1.5;
      });
      await expect.poll(() => words(page)).toEqual({ mode: 'showing', language: 'en', cues: [first] });
    };
    await button.click();
    await shown();
    await page.reload();
    await shown();
    await button.click();
    await expect.poll(async () => (await words(page)).mode).toBe('disabled');
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await page.reload();
    await expect(button).toHaveAttribute('aria-pressed', 'false');
  });
}

test('captions are refused to who may not see the video', async ({ page, mishaps }) => {
  await page.goto(`${site('mcfunny')}/terms`);
  const status = await page.evaluate(
    async () => (await fetch('/media/mcfunny/kettle-conspiracy.en.vtt')).status,
  );
  expect(status).toBe(401);
  onlyRefused(mishaps, '401');
});
