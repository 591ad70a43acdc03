/**
 * Reports how a film played, once it ends: the first frame, stalls and errors, in the keys of CMCD version 2 (CTA-5004-B), to the gateway's
 * metrics. The light build of hls.js has no CMCD, and would not know of films that it does not play.
 */
import { withDomain } from '../host';
import { getLocalItem, removeLocalItem, setLocalItem } from './local-storage';

/** The share of playbacks that are reported. */
const SAMPLED = 0.1;

/** The longest step of `timeupdate`, in seconds: a longer one is a jump. */
const LONGEST_STEP_S = 2;

export type PlayReport = {
  /** It ends with an error. */
  fail: (code: string) => void;
  /** Sends what was measured, once. */
  end: () => void;
};

type Kind = 'stream' | 'file' | 'sound' | 'saved';

/** `kind`: what plays, of which the element itself does not tell. */
export function reportPlay(video: HTMLVideoElement, kind: () => Kind): PlayReport {
  if (Math.random() >= SAMPLED) return { fail: () => undefined, end: () => undefined };
  const started = performance.now();
  let delay: number | undefined;
  let stalls = 0;
  let stalledMs = 0;
  let stalledAt = 0;
  let playedS = 0;
  let second = 0;
  let error: string | undefined;
  let isSent = false;

  const goesOn = () => {
    if (stalledAt > 0) stalledMs += performance.now() - stalledAt;
    stalledAt = 0;
  };
  const events: [name: string, run: () => void][] = [
    ['loadeddata', () => (delay ??= performance.now() - started)],
    ['playing', goesOn],
    ['pause', goesOn],
    [
      'waiting',
      () => {
        // Before the first frame, and after a jump, waiting is no stall.
        if (delay === undefined || video.seeking || stalledAt > 0) return;
        stalls += 1;
        stalledAt = performance.now();
      },
    ],
    [
      'timeupdate',
      () => {
        const step = video.currentTime - second;
        second = video.currentTime;
        if (step > 0 && step < LONGEST_STEP_S) playedS += step;
      },
    ],
  ];
  for (const [name, run] of events) video.addEventListener(name, run);

  const end = () => {
    if (isSent) return;
    isSent = true;
    for (const [name, run] of events) video.removeEventListener(name, run);
    window.removeEventListener('pagehide', end);
    goesOn();
    send({
      v: 2,
      ...(delay === undefined ? {} : { msd: Math.round(delay) }),
      bsa: stalls,
      bsda: Math.round(stalledMs),
      ...(error === undefined ? {} : { ec: error }),
      'spaza-played': Math.round(playedS * 1000),
      'spaza-rendition': delay === undefined ? 'none' : renditionOf(video, kind()),
    });
  };
  window.addEventListener('pagehide', end);
  return {
    fail: code => {
      error = code;
      end();
    },
    end,
  };
}

/** As `content transcode` names it: by the shorter side. */
const renditionOf = ({ videoWidth, videoHeight }: HTMLVideoElement, kind: Kind) =>
  kind === 'stream' ? `${Math.min(videoWidth, videoHeight)}p` : kind;

/** Reports of playbacks without a connection, which the next report takes along. */
const WAITING = 'spaza.plays';
const MOST_WAITING = 10;

function send(report: object): void {
  try {
    const reports: object[] = [...JSON.parse(getLocalItem(WAITING) ?? '[]'), report].slice(-MOST_WAITING);
    if (!navigator.onLine) {
      setLocalItem(WAITING, JSON.stringify(reports));
      return;
    }
    removeLocalItem(WAITING);
    for (const each of reports)
      navigator.sendBeacon(
        withDomain('/api/vitals'),
        new Blob([JSON.stringify(each)], { type: 'application/json' }),
      );
  } catch (error) {
    // Chrome before 81 does not send JSON beacons.
    console.info('Playback not reported', error);
  }
}
