import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { server } from '../../dev/server';
import { codeOf } from './captions';
import { updateMeter } from './data-meter';
import type { Stream } from './hls';
import { isStream, LOOPED, type PlaybackOptions, plainFile, soundBytes, startPlayback } from './playback';
import { saveQuality } from './quality';

const stream = { detach: vi.fn(), goOn: vi.fn(), stop: vi.fn(), resume: vi.fn(), setQuality: vi.fn() };
const attachStream = vi.hoisted(() => vi.fn());
vi.mock('./hls', () => ({ attachStream }));

const FILE = '/media/mcfunny/clip.mp4';
const STREAM = '/media/ttmbhatv/show/main.m3u8';

/** What a test sets of a video; happy-dom plays none. */
type Shown = {
  currentTime: number;
  duration: number;
  readyState: number;
  currentSrc: string;
  paused: boolean;
};

const playing: (() => void)[] = [];

function start(source = FILE, changes: Partial<PlaybackOptions> = {}) {
  const video = document.createElement('video');
  const shown: Shown = { currentTime: 0, duration: 60, readyState: 0, currentSrc: source, paused: false };
  for (const name of Object.keys(shown) as (keyof Shown)[])
    Object.defineProperty(video, name, {
      get: () => shown[name],
      set: value => Object.assign(shown, { [name]: value }),
    });
  const play = vi.spyOn(video, 'play').mockResolvedValue();
  vi.spyOn(video, 'pause');
  vi.spyOn(video, 'load');
  const states: string[] = [];
  const options: PlaybackOptions = {
    film: undefined,
    bytes: 60_000_000,
    onRefused: vi.fn(),
    onSilenced: vi.fn(),
    onResumed: vi.fn(),
    ...changes,
  };
  const playback = startPlayback(
    video,
    source,
    () => options,
    state => states.push(state),
  );
  playing.push(playback.leave);
  const happens = (name: string, change: Partial<Shown> = {}) => {
    Object.assign(shown, change);
    video.dispatchEvent(new Event(name));
  };
  const at = (second: number) => happens('timeupdate', { currentTime: second });
  return { video, playback, options, states, happens, at, play };
}

/** The reply to the question for the file. */
const answer = (status: number) =>
  server.use(
    http.head(`*${FILE}`, () => (status ? new HttpResponse(null, { status }) : HttpResponse.error())),
  );

beforeEach(() => {
  attachStream.mockReturnValue(stream satisfies Stream);
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  for (const leave of playing.splice(0)) leave();
  vi.useRealTimers();
});

test('a film starts by itself, without sound where the browser asks for a tap', async () => {
  const { play, video, options, playback } = start();
  expect(video).toHaveAttribute('src', FILE);
  expect(play).toHaveBeenCalledOnce();
  expect(options.onSilenced).not.toHaveBeenCalled();
  play.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  answer(200);
  playback.tryAgain();
  await vi.waitFor(() => expect(options.onSilenced).toHaveBeenCalledOnce());
  expect(video.muted).toBe(true);
});

test('a film that begins again says so once, and its position is not stored', () => {
  const { video, at, playback } = start();
  const looped = vi.fn();
  video.addEventListener(LOOPED, looped);
  for (const second of [30, 20, 59.5, 20, 59.5, 0, 0.2]) at(second);
  expect(looped).toHaveBeenCalledOnce();
  at(30);
  playback.leave();
  expect(localStorage.getItem('spaza.resume')).toBe('[]');
});

test('a film goes on where it was left, and one that takes turns begins at its beginning', () => {
  const first = start();
  first.at(30);
  first.playback.leave();
  const again = start();
  again.happens('loadedmetadata');
  expect(again.video.currentTime).toBe(30);
  expect(again.options.onResumed).toHaveBeenCalledOnce();
  const turn = start(FILE, { turn: { waits: true, byHand: false } });
  turn.happens('loadedmetadata');
  expect(turn.video.currentTime).toBe(0);
  expect(turn.play).not.toHaveBeenCalled();
  turn.playback.takeTurn(false);
  expect(turn.play).toHaveBeenCalledOnce();
  turn.playback.takeTurn(true);
  expect(turn.video.pause).toHaveBeenCalled();
});

test('waiting is shown after four seconds, and over with the first second that plays', () => {
  const { states, happens, at } = start();
  happens('waiting');
  vi.advanceTimersByTime(3999);
  expect(states).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(states).toEqual(['lost']);
  at(1);
  happens('waiting');
  happens('playing');
  vi.advanceTimersByTime(4000);
  expect(states).toEqual(['lost', 'running']);
});

test('a film that was paused while it loaded is not said to wait for the connection', () => {
  const { states, happens } = start();
  happens('waiting');
  happens('pause', { paused: true });
  vi.advanceTimersByTime(4000);
  expect(states).toEqual([]);
  happens('waiting', { paused: false });
  vi.advanceTimersByTime(4000);
  expect(states).toEqual(['lost']);
});

test('a lost connection is tried again until the file is there, at the same second', async () => {
  const { states, happens, at, video } = start();
  at(12);
  answer(0);
  video.removeAttribute('src');
  happens('error');
  await vi.waitFor(() => expect(states).toEqual(['lost']));
  answer(200);
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(video).toHaveAttribute('src', FILE));
  happens('loadedmetadata', { currentTime: 0 });
  expect(video.currentTime).toBe(12);
  happens('playing');
  expect(states).toEqual(['lost', 'running']);
});

test.each([
  [404, ['unplayable'], 0],
  [401, [], 1],
  [403, [], 1],
])('a file with the status %i is not tried again', async (status, expected, refusals) => {
  const { states, happens, options } = start();
  answer(status);
  happens('error');
  await vi.waitFor(() => expect([...states, ...vi.mocked(options.onRefused).mock.calls]).toHaveLength(1));
  expect(states).toEqual(expected);
  expect(options.onRefused).toHaveBeenCalledTimes(refusals);
});

test('a file that the server has and the browser cannot play is given up after two reloads', async () => {
  const { states, happens, video } = start();
  answer(200);
  const loads = vi.spyOn(video, 'src', 'set');
  for (let each = 1; each <= 2; each++) {
    happens('error');
    await vi.waitFor(() => expect(loads).toHaveBeenCalledTimes(each));
  }
  happens('error');
  await vi.waitFor(() => expect(states).toEqual(['unplayable']));
});

test('at the cap nothing more is fetched, and nothing is said of the connection', async () => {
  const { states, happens, video } = start();
  updateMeter(() => ({ cap: 100, bytes: 100_000_000 }));
  expect(states).toEqual(['capped']);
  expect(video).not.toHaveAttribute('src');
  happens('waiting');
  vi.advanceTimersByTime(4000);
  updateMeter(() => ({ watchOn: true }));
  expect(states).toEqual(['capped', 'running']);
  expect(video).toHaveAttribute('src', FILE);
});

test('a stream loads its first segment while it waits, and the rest at its turn', async () => {
  const { playback, play } = start(STREAM, { turn: { waits: true, byHand: false } });
  await vi.waitFor(() => expect(attachStream).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.goOn).not.toHaveBeenCalled();
  playback.takeTurn(false);
  expect(stream.goOn).toHaveBeenCalledOnce();
  expect(play).toHaveBeenCalledOnce();
  playback.takeTurn(true);
  expect(stream.stop).toHaveBeenCalledOnce();
  playback.takeTurn(false);
  expect(stream.resume).toHaveBeenCalledOnce();
  playback.setQuality('low');
  expect(stream.setQuality).toHaveBeenCalledWith('low');
});

test('a stream that arrives after the page was left is let go', async () => {
  const { playback, states } = start(STREAM);
  playback.leave();
  await vi.waitFor(() => expect(stream.detach).toHaveBeenCalledOnce());
  expect(states).toEqual(['gone']);
});

test('the sound alone goes on at the same second, counts its own bytes, and leads back to the stream', async () => {
  stream.goOn.mockClear();
  stream.detach.mockClear();
  const { video, playback, happens, at } = start(STREAM);
  await vi.waitFor(() => expect(stream.goOn).toHaveBeenCalled());
  at(20);
  playback.playSoundAlone(240_000);
  expect(stream.detach).toHaveBeenCalledOnce();
  expect(video).toHaveAttribute('src', '/media/ttmbhatv/show/sound.m4a');
  happens('loadedmetadata', { currentTime: 0 });
  expect(video.currentTime).toBe(20);
  attachStream.mockClear();
  playback.playSoundAlone(0);
  await vi.waitFor(() => expect(attachStream).toHaveBeenCalledOnce());
});

test('the sound of a film that has none alone is not offered', async () => {
  const sound = '*/media/ttmbhatv/show/sound.m4a';
  server.use(http.head(sound, () => new HttpResponse(null, { headers: { 'content-length': '240000' } })));
  expect(await soundBytes(STREAM)).toBe(240_000);
  server.use(http.head(sound, () => new HttpResponse(null, { status: 404 })));
  expect(await soundBytes(STREAM)).toBe(0);
});

test('a phone that plays AV1 gets it in the automatic quality, and H.264 once the best is chosen', async () => {
  const decodingInfo = async () => ({ supported: true, smooth: true, powerEfficient: true });
  Object.defineProperty(navigator, 'mediaCapabilities', { value: { decodingInfo }, configurable: true });
  attachStream.mockClear().mockReturnValue({ ...stream, isAv1: () => true });
  const { playback } = start(STREAM);
  const isAv1 = (call: number) => attachStream.mock.calls[call]?.at(-1);
  await vi.waitFor(() => expect(attachStream).toHaveBeenCalledOnce());
  expect(isAv1(0)).toBe(true);
  saveQuality('high');
  playback.setQuality('high');
  await vi.waitFor(() => expect(attachStream).toHaveBeenCalledTimes(2));
  expect(isAv1(1)).toBe(false);
  saveQuality('auto');
  Reflect.deleteProperty(navigator, 'mediaCapabilities');
});

test('endings in capitals are endings', () => {
  expect(isStream('/media/mcfunny/SHOW/MAIN.M3U8?domain=a')).toBe(true);
  expect(plainFile('/media/mcfunny/SHOW/MAIN.M3U8')).toBe('/media/mcfunny/SHOW/fallback.mp4');
  expect(codeOf('/media/mcfunny/CLIP.ZU.VTT')).toBe('zu');
});
