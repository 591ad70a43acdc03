import { expect, test, vi } from 'vitest';
import { attachStream } from './hls';
import type { Quality } from './quality';

type FakePlayer = {
  levels: { width: number; height: number; videoCodec: string }[];
  firstLevel: number;
  settings: { startLevel: number };
  nextLevel: number;
  handlers: Map<string, (event?: string, data?: object) => void>;
  calls: string[];
};
const made = vi.hoisted(() => [] as FakePlayer[]);
vi.mock('hls.js/light', () => ({
  default: class {
    static isSupported = () => true;
    static Events = { MANIFEST_PARSED: 'parsed', ERROR: 'error', FRAG_LOADED: 'loaded' };
    static ErrorTypes = { NETWORK_ERROR: 'networkError', MEDIA_ERROR: 'mediaError' };
    calls: string[] = [];
    levels = [
      { width: 256, height: 144, videoCodec: 'av01.0.00M.08' },
      { width: 256, height: 144, videoCodec: 'avc1.42c00c' },
      { width: 854, height: 480, videoCodec: 'av01.0.04M.08' },
      { width: 854, height: 480, videoCodec: 'avc1.4d401f' },
      { width: 1280, height: 720, videoCodec: 'avc1.4d401f' },
    ];
    firstLevel = 1;
    removeLevel(index: number) {
      this.levels.splice(index, 1);
    }
    maxAutoLevel = 2;
    nextLevel = -1;
    handlers = new Map<string, () => void>();
    constructor(readonly settings: { startLevel: number }) {
      made.push(this);
    }
    on(event: string, act: () => void) {
      this.handlers.set(event, act);
    }
    loadSource() {}
    attachMedia() {}
    startLoad() {
      this.calls.push('startLoad');
    }
    stopLoad() {
      this.calls.push('stopLoad');
    }
    recoverMediaError() {
      this.calls.push('recoverMediaError');
    }
    destroy() {
      this.calls.push('destroy');
    }
  },
}));

test('attachStream uses a quality that is chosen while the stream is loading', () => {
  let chosen: Quality = 'auto';
  attachStream(document.createElement('video'), '/media/film/main.m3u8', () => chosen, vi.fn(), vi.fn());
  expect(made[0]?.settings.startLevel).toBe(-1);
  chosen = 'high';
  made[0]?.handlers.get('parsed')?.();
  expect(made[0]?.nextLevel).toBe(2);
});

test.each([
  [false, false, [144, 480, 720]],
  [true, false, [144, 480]],
  [false, true, [144, 480]],
])('the sizes of one codec are left: AV1 %s, to save data %s', (av1, saveData, heights) => {
  vi.stubGlobal('navigator', { connection: { saveData } });
  const video = document.createElement('video');
  const stream = attachStream(
    video,
    '/media/film/main.m3u8',
    () => 'auto',
    vi.fn(),
    vi.fn(),
    false,
    '',
    undefined,
    av1,
  );
  const player = made.at(-1);
  player?.handlers.get('parsed')?.();
  expect(player?.levels.map(({ height }) => height)).toEqual(heights);
  expect(player?.firstLevel).toBe(0);
  expect(stream.isAv1?.()).toBe(av1);
});

test('a film without AV1 keeps its sizes', () => {
  const video = document.createElement('video');
  attachStream(video, '/media/film/main.m3u8', () => 'auto', vi.fn(), vi.fn(), false, '', undefined, true);
  const player = made.at(-1);
  if (player) player.levels = player.levels.filter(({ videoCodec }) => videoCodec.startsWith('avc1'));
  player?.handlers.get('parsed')?.();
  expect(player?.levels).toHaveLength(3);
});

test('a saved film keeps its only size, though the phone saves data', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  const video = document.createElement('video');
  attachStream(video, '/media/film/main.m3u8', () => 'auto', vi.fn(), vi.fn());
  const player = made.at(-1);
  if (player) player.levels = player.levels.slice(-1);
  player?.handlers.get('parsed')?.();
  expect(player?.levels.map(({ height }) => height)).toEqual([720]);
});

test('a network error is reported and can be resumed, a media error is recovered from once', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const failed = vi.fn();
  const fetched = vi.fn();
  const video = document.createElement('video');
  const stream = await attachStream(video, '/media/film/main.m3u8', () => 'auto', failed, fetched);
  const player = made.at(-1);
  const fails = (type: string, code?: number) =>
    player?.handlers.get('error')?.('error', { type, fatal: true, response: { code } });
  fails('networkError', 0);
  fails('networkError', 403);
  expect(failed.mock.calls).toEqual([[0], [403]]);
  stream.resume?.();
  fails('mediaError');
  expect(player?.calls).toEqual(['startLoad', 'recoverMediaError']);
  expect(video).not.toHaveAttribute('src');
  // Again at once: hls.js cannot help, so the browser tries by itself.
  fails('mediaError');
  expect(player?.calls.at(-1)).toBe('destroy');
  expect(video).toHaveAttribute('src', '/media/film/main.m3u8');
});

test('the bytes of each segment are reported, and loading can be stopped', async () => {
  const fetched = vi.fn();
  const video = document.createElement('video');
  const stream = await attachStream(video, '/media/film/main.m3u8', () => 'auto', vi.fn(), fetched);
  const player = made.at(-1);
  player?.handlers.get('loaded')?.('loaded', { frag: { stats: { loaded: 40_000 } } });
  expect(fetched).toHaveBeenCalledWith(40_000);
  stream.stop?.();
  stream.resume?.();
  expect(player?.calls).toEqual(['stopLoad', 'startLoad']);
});
