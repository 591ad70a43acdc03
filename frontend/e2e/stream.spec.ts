/// <reference types="node" />
/**
 * A stream of two renditions: quality, buffer and lost connections. It is four seconds long, so that tests know each segment.
 * Also positions and captions, which the phone stores.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type Connection, clock, fileName, longStream, streamed } from './streams';
import {
  expectNoAxeFindings,
  expectOnlyRefused,
  openAsTestNumber,
  openSettings,
  screenshot,
  site,
  test,
} from './visit';

test('a stream plays, and the chosen quality is stored', async ({ page }) => {
  const segments = await streamed(page);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  const quality = page.getByRole('combobox', { name: 'Quality' });
  await openSettings(page);
  await expect(quality).toHaveValue('auto');
  await quality.selectOption('Save data');
  await page.reload();
  await openSettings(page);
  await expect(quality).toHaveValue('low');
  segments.length = 0;
  await page.reload();
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  expect(segments.length).toBeGreaterThan(0);
  expect(segments.filter(name => !name.startsWith('low'))).toEqual([]);
});

/** A film of four seconds in both codecs, as `content transcode` makes it. */
function bothCodecs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'codecs-'));
  const source = '-nostdin -v error -f lavfi -i testsrc2=s=320x180:r=25:d=4 -g 100 -pix_fmt yuv420p';
  const stream = '-f hls -hls_time 4 -hls_playlist_type vod -hls_segment_type fmp4 -hls_fmp4_init_filename';
  for (const [name, codec] of [
    ['h264', 'libx264 -preset ultrafast -profile:v main -level:v 3.0'],
    ['av1', 'libsvtav1 -preset 12 -crf 50'],
  ]) {
    const options = `${source} -c:v ${codec} ${stream} ${name}-init.mp4 -hls_segment_filename ${name}-%d.seg ${name}.m3u8`;
    execFileSync('ffmpeg', options.split(' '), { cwd: folder, stdio: 'ignore' });
  }
  const sizes = [
    ['h264', 'avc1.4d401e'],
    ['av1', 'av01.0.00M.08'],
  ].map(
    ([name, codec]) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180,CODECS="${codec}"\n${name}.m3u8\n`,
  );
  writeFileSync(join(folder, 'main.m3u8'), ['#EXTM3U\n#EXT-X-VERSION:7\n', ...sizes].join(''));
  return folder;
}

test('AV1 plays where the phone plays it without heat, and H.264 elsewhere and as the best picture', async ({
  page,
}) => {
  const folder = bothCodecs();
  const segments = await streamed(page);
  await page.route(/\/media\/mcfunny\/stream\/(main|av1|h264)\b/, route => {
    const file = fileName(route.request().url());
    segments.push(file);
    return route.fulfill({ path: join(folder, file) });
  });
  await page.addInitScript(() => {
    navigator.mediaCapabilities.decodingInfo = async () =>
      ({
        supported: true,
        smooth: true,
        powerEfficient: localStorage.getItem('cool') === 'yes',
      }) as MediaCapabilitiesDecodingInfo;
  });
  const codecs = () => [...new Set(segments.flatMap(file => /^\w+(?=-\d\.seg)/.exec(file) ?? []))];
  const plays = async () => {
    segments.length = 0;
    await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
    await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
    return codecs();
  };
  expect(await plays()).toEqual(['h264']);
  await page.evaluate(() => localStorage.setItem('cool', 'yes'));
  expect(await plays()).toEqual(['av1']);
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Quality' }).selectOption('Best picture');
  await expect.poll(codecs).toEqual(['av1', 'h264']);
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused))
    .toBe(false);
});

test('captions are read as the check of films reads them', async ({ page }) => {
  const table = readFileSync(new URL('../../crates/testkit/corpus/captions.txt', import.meta.url), 'utf8');
  const rows = table.split('\n').filter(line => line && !line.startsWith('#'));
  await page.goto(`${site('mcfunny')}/terms`);
  // A browser has its cues in the order of time.
  const inTime = (seconds: string) =>
    seconds
      .split(' ')
      .sort((one, other) => Number(one) - Number(other))
      .join(' ');
  for (const [input = '', right = ''] of rows.map(row => row.split('\t')))
    expect(await page.evaluate(shownLines, JSON.parse(input) as string), input).toBe(inTime(right));
});

/** The seconds of the lines that the browser shows of a captions file, as the table has them. */
const shownLines = (text: string) =>
  new Promise<string>(resolve => {
    const video = document.createElement('video');
    const element = video.appendChild(document.createElement('track'));
    element.onload = () =>
      resolve(
        [...(element.track.cues ?? [])]
          .filter(cue => (cue as VTTCue).text !== '' && cue.startTime < cue.endTime)
          .map(cue => cue.startTime)
          .join(' '),
      );
    element.onerror = () => resolve('no WebVTT');
    element.src = URL.createObjectURL(new Blob([text]));
    element.track.mode = 'hidden';
    document.body.append(video);
  });

test('at most half a minute is buffered, and the quality changes while it plays', async ({ page }) => {
  const segments = await streamed(page);
  // Two minutes, by repeating the four seconds.
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
  // After a pause fetching ends soon: the player checks every tenth of a second whether to fetch another segment.
  const within = async (milliseconds: number) => {
    const count = segments.length;
    await page.waitForTimeout(milliseconds);
    return segments.length - count;
  };
  await expect.poll(() => within(500)).toBe(0);
  expect(await within(2000)).toBe(0);
  expect(await ahead()).toBeLessThanOrEqual(30);

  await openSettings(page);
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

test('with Save-Data a stream starts at the lowest quality', async ({ page, context }) => {
  const segments = await streamed(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await openSettings(page);
  await expect(page.getByRole('combobox', { name: 'Quality' })).toHaveValue('low');
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  expect(segments.filter(name => !name.startsWith('low'))).toEqual([]);
});

test('a video resumes at its stored position', async ({ page }) => {
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
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

/** The first video of MC Funny as a file in small ranges; the second half needs the connection. */
async function pieces(page: Page, connection: Connection) {
  const piece = 16 * 1024;
  await openAsTestNumber(page, 'mcfunny', '/redirect', 'MC Funny');
  const [{ vurl }] = await page.evaluate(async () => (await fetch('/api/madfunny/fetchsingle/1')).json());
  const bytes = Buffer.from(
    await page.evaluate(
      async address => [...new Uint8Array(await (await fetch(address)).arrayBuffer())],
      vurl as string,
    ),
  );
  connection.cut = true;
  await page.route(`**${vurl}*`, route => {
    const head = route.request().method() === 'HEAD';
    const from = Number(/bytes=(\d+)/.exec(route.request().headers().range ?? '')?.[1] ?? 0);
    if (connection.cut && (head || from > bytes.length / 2)) return route.abort('internetdisconnected');
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

/** Plays the video until it stalls without a connection. */
async function playUntilStalled(page: Page, connection: Connection): Promise<void> {
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  if (!connection.cut) {
    connection.cut = true;
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
  test(`${kind} shows a notice when the connection is lost, and resumes at the same position`, async ({
    page,
    pageErrors,
  }) => {
    const connection = { cut: false };
    await prepare(page, connection);
    await playUntilStalled(page, connection);
    await expectNoAxeFindings(page);
    await screenshot(page, `mcfunny-line-lost-${kind.split(' ')[1]}`);
    const at = await clock(page);
    expect(at).toBeGreaterThan(0.2);
    connection.cut = false;
    await expect(page.getByText(WAITING)).toBeHidden();
    await expect.poll(() => clock(page)).toBeGreaterThan(at);
    expect(await clock(page)).toBeLessThan(at + 30);
    expectOnlyRefused(pageErrors, 'ERR_INTERNET_DISCONNECTED');
  });

  test(`${kind} resumes by a tap after a minute offline`, async ({ page, pageErrors }) => {
    const connection = { cut: false };
    await page.clock.install();
    await prepare(page, connection);
    await playUntilStalled(page, connection);
    const at = await clock(page);
    // After this the browser and hls.js have given up.
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await page.clock.fastForward(10_000);
      await page.waitForTimeout(1500);
    }
    // The connection is back at the tap: before it, a retry of the page's own would take the button away.
    await page.exposeFunction('reconnect', () => {
      connection.cut = false;
    });
    await page.evaluate("addEventListener('pointerdown', () => reconnect(), true)");
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(WAITING)).toBeHidden();
    await expect.poll(() => clock(page)).toBeGreaterThan(at);
    expect(await page.locator('video').evaluate((each: HTMLVideoElement) => each.paused)).toBe(false);
    expectOnlyRefused(pageErrors, 'ERR_INTERNET_DISCONNECTED');
  });
}

test('a film resumes on the browser’s online event', async ({ page, context, pageErrors }) => {
  const connection = { cut: false };
  await longStream(page, connection);
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  connection.cut = true;
  await context.setOffline(true);
  await page.locator('video').evaluate((each: HTMLVideoElement) => {
    each.currentTime = each.buffered.end(each.buffered.length - 1) - 0.2;
  });
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeVisible();
  const at = await clock(page);
  connection.cut = false;
  await context.setOffline(false);
  await expect(page.getByText(WAITING)).toBeHidden();
  await expect.poll(() => clock(page)).toBeGreaterThan(at);
  expectOnlyRefused(pageErrors, 'ERR_INTERNET_DISCONNECTED');
});

test('a line that is too slow for the picture is offered the sound alone, in MB', async ({ page }) => {
  const line = { stands: false };
  await longStream(page, { cut: false });
  // No reply comes, as on a line that carries almost nothing.
  await page.route('**/media/mcfunny/stream/*.seg', route => (line.stands ? undefined : route.fallback()));
  await page.goto(`${site('mcfunny')}/video/1/MC%20Funny/1`);
  await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
  line.stands = true;
  const video = page.locator('video');
  await video.evaluate((each: HTMLVideoElement) => {
    each.currentTime = each.buffered.end(each.buffered.length - 1) - 0.5;
  });
  await page.getByRole('button', { name: 'Sound only (0.1 MB)' }).click();
  await expect(page.getByText(WAITING)).toBeHidden();
  const shown = () =>
    video.evaluate(({ currentSrc, paused }: HTMLVideoElement) => [currentSrc.split('/').at(-1), paused]);
  await expect.poll(shown).toEqual(['sound.m4a', false]);
  await openSettings(page);
  await expect(page.getByRole('combobox', { name: 'Quality' })).toHaveValue('sound');
});

/** The captions that the browser shows. */
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
  test(`${label}: captions are shown only if they were chosen`, async ({ page }) => {
    await openAsTestNumber(page, label, home, service);
    const requested: string[] = [];
    page.on('request', request => request.url().endsWith('.vtt') && requested.push(request.url()));
    await page.goto(`${site(label)}/search?q=${encodeURIComponent(find)}`);
    await page.locator('.video-card').first().click();
    const button = page.getByRole('button', { name: 'Captions' });
    await openSettings(page);
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await expect.poll(() => clock(page)).toBeGreaterThan(0.2);
    expect(requested, 'captions are not fetched unless they are shown').toEqual([]);

    const shown = async () => {
      await expect(button).toHaveAttribute('aria-pressed', 'true');
      // During the first caption.
      await page.locator('video').evaluate((video: HTMLVideoElement) => {
        video.pause();
        video.currentTime = 1.5;
      });
      await expect.poll(() => words(page)).toEqual({ mode: 'showing', language: 'en', cues: [first] });
    };
    await button.click();
    await shown();
    await page.reload();
    await openSettings(page);
    await shown();
    await button.click();
    await expect.poll(async () => (await words(page)).mode).toBe('disabled');
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await page.reload();
    await openSettings(page);
    await expect(button).toHaveAttribute('aria-pressed', 'false');
  });
}

test('captions are refused without access to the video', async ({ page, pageErrors }) => {
  await page.goto(`${site('mcfunny')}/terms`);
  const status = await page.evaluate(
    async () => (await fetch('/media/mcfunny/kettle-conspiracy.en.vtt')).status,
  );
  expect(status).toBe(401);
  expectOnlyRefused(pageErrors, '401');
});
