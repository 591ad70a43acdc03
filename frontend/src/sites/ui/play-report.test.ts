import { afterEach, expect, test, vi } from 'vitest';
import { reportPlay } from './play-report';

afterEach(() => vi.useRealTimers());

/** A playback that is in the sample, or not; `at` lets the clock go on, and fires an event. */
function play(sampled = true, onLine = true) {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.spyOn(Math, 'random').mockReturnValue(sampled ? 0.05 : 0.5);
  const beacon = vi.fn<(address: string, body: Blob) => boolean>(() => true);
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, { sendBeacon: { value: beacon }, onLine: { value: onLine } }),
  );
  const video = document.createElement('video');
  const shown = { currentTime: 0, seeking: false, videoWidth: 360, videoHeight: 640 };
  for (const name of Object.keys(shown) as (keyof typeof shown)[])
    Object.defineProperty(video, name, { get: () => shown[name] });
  const report = reportPlay(video, () => 'stream');
  const after = (milliseconds: number, event: string, change: Partial<typeof shown> = {}) => {
    vi.advanceTimersByTime(milliseconds);
    Object.assign(shown, change);
    video.dispatchEvent(new Event(event));
  };
  const sent = () => Promise.all(beacon.mock.calls.map(async ([, body]) => JSON.parse(await body.text())));
  return { report, after, sent };
}

test('a playback is reported once, with its first frame, its stalls and what was played', async () => {
  const { report, after, sent } = play();
  after(300, 'waiting');
  after(600, 'loadeddata');
  after(0, 'playing');
  after(1000, 'timeupdate', { currentTime: 1 });
  after(0, 'waiting');
  after(2500, 'playing');
  // A jump is not played, and waiting for it is no stall.
  after(0, 'waiting', { seeking: true });
  after(700, 'playing', { seeking: false });
  after(0, 'timeupdate', { currentTime: 40 });
  after(500, 'timeupdate', { currentTime: 40.5 });
  report.end();
  window.dispatchEvent(new Event('pagehide'));
  expect(await sent()).toEqual([
    { v: 2, msd: 900, bsa: 1, bsda: 2500, 'spaza-played': 1500, 'spaza-rendition': '360p' },
  ]);
});

test('an error before the first frame is a failed start', async () => {
  const { report, sent } = play();
  report.fail('404');
  report.end();
  expect(await sent()).toEqual([
    { v: 2, bsa: 0, bsda: 0, ec: '404', 'spaza-played': 0, 'spaza-rendition': 'none' },
  ]);
});

test('nine of ten playbacks send nothing', async () => {
  const { report, after, sent } = play(false);
  after(10, 'loadeddata');
  report.end();
  expect(await sent()).toEqual([]);
});

test('a playback without a connection is reported with the next', async () => {
  const { report, sent } = play(true, false);
  report.fail('503');
  expect(await sent()).toEqual([]);
  const later = play();
  later.report.end();
  expect(await later.sent()).toMatchObject([{ ec: '503' }, { v: 2 }]);
  const last = play();
  last.report.end();
  expect(await last.sent()).toHaveLength(1);
});
