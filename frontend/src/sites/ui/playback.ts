/**
 * Loads a video into its element, and resumes at the same second after a lost connection. The browser (MP4) and hls.js (streams) retry for
 * half a minute and then give up; after that this module retries.
 * It counts the fetched data, and stops fetching at the visitor's cap (data-meter.ts).
 */
import type { ReadSaved } from '../saved/open-saved';
import { playsAv1 } from './codecs';
import { countData, fileCounter, isCapReached, onMeterChange } from './data-meter';
import { playsStreams } from './device';
import type { Stream } from './hls';
import { reportPlay } from './play-report';
import { chosenQuality, type Quality } from './quality';
import { type Film, savedPosition, savePosition } from './resume';
import { retrying } from './retry';
import { isSaved } from './saved-list';
import { addFilm } from './watched-days';

const beside = (source: string, file: string): string => source.replace(/[^/]*\.m3u8(?=$|\?)/i, file);

/** The file of a stream for browsers that cannot play it (`content transcode` makes it). */
export const plainFile = (source: string): string => beside(source, 'fallback.mp4');

const soundFile = (source: string): string => beside(source, 'sound.m4a');

/** The bytes of a stream's sound alone; 0 if it has none. */
export async function soundBytes(source: string): Promise<number> {
  try {
    const reply = await fetch(soundFile(source), { method: 'HEAD', credentials: 'same-origin' });
    return reply.ok ? Number(reply.headers.get('content-length')) : 0;
  } catch (error) {
    console.info('Sound unreachable', error);
    return 0;
  }
}

export const isStream = (source: string): boolean => /\.m3u8(\?|$)/i.test(source);

/** The video's event when it begins again: one that loops fires no `ended`. */
export const LOOPED = 'looped';

/** `HTMLMediaElement.HAVE_FUTURE_DATA`: more than the current frame is buffered. */
const HAVE_FUTURE_DATA = 3;

/** Milliseconds of waiting after which the notice is shown. */
const NOTICE_AFTER_MS = 4000;

/** Seconds: a jump from this close to the end to this close to the beginning is a loop. */
const LOOP_EDGE_S = 1.5;

/** Reloads of a file that the server has, after which it counts as not playable. */
const RELOADS = 2;

/**
 * `running`: it loads, plays or is paused. `lost`: it waits for the connection. `unplayable`: neither a retry nor another file helps.
 * `capped`: the cap is reached, and nothing is fetched. `expired`: the key of a saved film needs contact. `gone`: the page was left.
 */
export type PlaybackState = 'running' | 'lost' | 'unplayable' | 'capped' | 'expired' | 'gone';

type Happening = 'stalled' | 'recovered' | 'gave-up' | 'cap-reached' | 'cap-lifted' | 'key-expired' | 'left';

/** Where a happening leads. One that a state does not list changes nothing. */
const NEXT: Record<PlaybackState, Partial<Record<Happening, PlaybackState>>> = {
  running: {
    stalled: 'lost',
    'gave-up': 'unplayable',
    'cap-reached': 'capped',
    'key-expired': 'expired',
    left: 'gone',
  },
  lost: { recovered: 'running', 'gave-up': 'unplayable', 'cap-reached': 'capped', left: 'gone' },
  unplayable: { recovered: 'running', 'cap-reached': 'capped', left: 'gone' },
  capped: { 'cap-lifted': 'running', left: 'gone' },
  expired: { recovered: 'running', 'cap-reached': 'capped', left: 'gone' },
  gone: {},
};

export type PlaybackOptions = {
  film: Film | undefined;
  /** The size of the file. */
  bytes: number;
  /** The server returned 401 or 403. */
  onRefused: (status: number) => void;
  /** The browser allowed only muted autoplay. */
  onSilenced: () => void;
  /** Playback started at the stored position. */
  onResumed: () => void;
  /**
   * One of several that take turns: it begins at its beginning, and its place is not kept. `waits`: it is not its turn, and nothing plays.
   * `byHand`: it starts by its own controls alone.
   */
  turn?: { waits: boolean; byHand: boolean };
};

export type Playback = {
  takeTurn: (waits: boolean) => void;
  tryAgain: () => void;
  setQuality: (quality: Quality) => void;
  /** Goes on with the stream's sound alone, which has this many bytes; with 0, with the stream. */
  playSoundAlone: (bytes: number) => void;
  /** Stores the position, and frees the element. */
  leave: () => void;
};

export function startPlayback(
  video: HTMLVideoElement,
  source: string,
  options: () => PlaybackOptions,
  onState: (state: PlaybackState) => void,
): Playback {
  let state: PlaybackState = 'running';
  let waits = options().turn?.waits === true;
  let stream: Stream | undefined;
  /** It waited for its turn with a stream that loads nothing. */
  let isIdle = false;
  /** The second to resume from after a failure. */
  let place = 0;
  let lastSecond = 0;
  /** It was played to its end: no position is stored. */
  let hasLooped = false;
  let reloads = 0;
  let noticeTimer = 0;
  /** It costs no data. */
  let saved = isSaved(source);
  let address = source;
  const isCapped = () => !(saved && address === source) && isCapReached();
  // Films of a feed load before their turn: their delays say nothing.
  const report = options().turn
    ? undefined
    : reportPlay(video, () =>
        address !== source ? 'sound' : saved ? 'saved' : isStream(source) ? 'stream' : 'file',
      );

  const happen = (what: Happening) => {
    window.clearTimeout(noticeTimer);
    const next = NEXT[state][what];
    if (!next) return;
    state = next;
    onState(next);
  };

  const mayStart = () => !waits && !options().turn?.byHand;
  const play = () => {
    if (mayStart())
      playWithSoundIfAllowed(video, options().onSilenced).catch(error =>
        console.info('Video does not start by itself', error),
      );
  };

  const start = async (mayPlay = false): Promise<void> => {
    if (isCapped()) return stop();
    if (!isStream(address)) {
      // One that was paused stays paused.
      const starts = mayStart() && (mayPlay || place === 0 || !video.paused);
      video.autoplay = starts;
      video.src = address;
      return starts ? play() : undefined;
    }
    try {
      const read = saved ? await openSaved(source) : undefined;
      if (read === 'expired') {
        happen('key-expired');
        reloads = 0;
        return retry.later();
      }
      saved = read !== undefined;
      if (isCapped()) return stop();
      const attached = await attach(video, source, failed, waits, read);
      if (state === 'gone') return attached.detach();
      stream = attached;
      if (!waits) attached.goOn?.();
    } catch (error) {
      console.info('No player for the stream', error);
      return failed(0);
    }
    play();
  };

  /** Stops fetching at the cap. The browser fetches a file as long as the element has its address, so the address is removed. */
  const stop = () => {
    happen('cap-reached');
    video.pause();
    if (stream?.stop) return stream.stop();
    video.removeAttribute('src');
    video.load();
  };

  /** Resumes after the cap was lifted. A hidden tab does not start to play. */
  const goOn = () => {
    happen('cap-lifted');
    const visible = document.visibilityState === 'visible';
    if (!stream?.resume) return void start(visible);
    stream.resume();
    if (visible) play();
  };

  /** `status`: the server's response; 0: no response. */
  const failed = (status: number) => {
    if (state === 'gone' || state === 'capped') return;
    if (status === 401 || status === 403) return options().onRefused(status);
    // A retry does not help after 4xx.
    if (status >= 400 && status < 500) return giveUp(status);
    if (video.readyState < HAVE_FUTURE_DATA) happen('stalled');
    retry.later();
  };

  /** A retry would not help. */
  const giveUp = (status: number) => {
    console.info('Video cannot be played', status);
    report?.fail(String(status));
    happen('gave-up');
  };

  const again = async () => {
    const status = await statusOf(address);
    if (status >= 400 || status === 0) return failed(status);
    if (state === 'gone' || state === 'capped') return;
    if (stream?.resume) return stream.resume();
    if (reloads >= RELOADS) return giveUp(status);
    reloads += 1;
    return start();
  };

  /** Another stream or file of the film, from the same second on. */
  const loadAgain = () => {
    const { paused } = video;
    stream?.detach();
    stream = undefined;
    retry.worked();
    start(!paused);
  };

  const played = () => {
    const { film } = options();
    if (film) addFilm(film);
    recovered();
  };

  /** A film that was paused while it loaded waits for a tap: the event comes again after it. */
  const stalled = () => {
    if (!video.paused) happen('stalled');
  };

  const recovered = () => {
    happen('recovered');
    retry.worked();
    reloads = 0;
  };

  const rememberPlace = () => {
    const { turn, film } = options();
    if (!turn) savePosition(source, hasLooped ? 0 : video.currentTime, video.duration, film);
  };

  const progressed = () => {
    const { currentTime, duration } = video;
    const loops =
      lastSecond > duration - LOOP_EDGE_S && currentTime < LOOP_EDGE_S && lastSecond > currentTime;
    lastSecond = currentTime;
    if (loops) {
      hasLooped = true;
      video.dispatchEvent(new Event(LOOPED));
    }
    if (currentTime === 0 || currentTime === place) return;
    place = currentTime;
    if (state === 'lost') recovered();
  };

  let countFile = fileCounter(video, options().bytes);
  const count = () => stream?.stop || countFile();
  const events: [name: string, run: () => void][] = [
    ['progress', count],
    ['timeupdate', count],
    ['timeupdate', progressed],
    ['playing', played],
    ['pause', rememberPlace],
    [
      'loadedmetadata',
      () => {
        const second = place || (options().turn ? 0 : savedPosition(source));
        if (second === 0 || second >= video.duration) return;
        video.currentTime = second;
        if (place === 0) options().onResumed();
      },
    ],
    [
      'waiting',
      () => {
        window.clearTimeout(noticeTimer);
        if (navigator.onLine) noticeTimer = window.setTimeout(stalled, NOTICE_AFTER_MS);
        else stalled();
      },
    ],
    [
      'error',
      () => {
        if (!video.currentSrc) return;
        console.info('Video error', video.error?.code, video.error?.message);
        retry.now();
      },
    ],
  ];
  for (const [name, run] of events) video.addEventListener(name, run);
  window.addEventListener('pagehide', rememberPlace);
  const leaveMeter = onMeterChange(() => {
    if (isCapped() !== (state === 'capped')) state === 'capped' ? goOn() : stop();
  });
  const retry = retrying(again);
  start();

  return {
    takeTurn(next) {
      if (next === waits) return;
      waits = next;
      if (waits) {
        isIdle = stream !== undefined;
        video.pause();
        return stream?.stop?.();
      }
      if (isCapped()) return stop();
      stream?.goOn?.();
      if (isIdle) stream?.resume?.();
      play();
    },
    tryAgain: retry.now,
    setQuality(quality) {
      if (quality === 'high' && stream?.isAv1?.()) loadAgain();
      else stream?.setQuality?.(quality);
    },
    playSoundAlone(bytes) {
      address = bytes > 0 ? soundFile(source) : source;
      countFile = fileCounter(video, bytes || options().bytes);
      loadAgain();
    },
    leave() {
      report?.end();
      rememberPlace();
      happen('left');
      leaveMeter();
      for (const [name, run] of events) video.removeEventListener(name, run);
      window.removeEventListener('pagehide', rememberPlace);
      retry.stop();
      stream?.detach();
      video.removeAttribute('src');
      video.load();
    },
  };
}

const openSaved = (source: string) =>
  import(/* webpackChunkName: "saved-open" */ '../saved/open-saved').then(saved => saved.openSaved(source));

/** Plays a stream: by hls.js, or by the browser itself; without hls.js, its plain file. */
const attach = async (
  video: HTMLVideoElement,
  source: string,
  onFailed: (status: number) => void,
  waits: boolean,
  saved: ReadSaved | undefined,
): Promise<Stream> =>
  playsStreams(video)
    ? playNatively(video, source)
    : Promise.all([import(/* webpackChunkName: "hls" */ './hls'), wantsAv1()]).then(
        ([{ attachStream }, av1]) =>
          attachStream(
            video,
            source,
            chosenQuality,
            onFailed,
            saved ? () => undefined : countData,
            waits,
            plainFile(source),
            saved,
            av1,
          ),
        error => {
          console.info('No player for the stream', error);
          return playNatively(video, plainFile(source));
        },
      );

/** The best picture of a film is H.264: AV1 ends at 480p. */
const wantsAv1 = async (): Promise<boolean> => chosenQuality() !== 'high' && (await playsAv1());

/** The status of a HEAD request for the video; 0 without a connection. */
async function statusOf(source: string): Promise<number> {
  try {
    return (await fetch(source, { method: 'HEAD', credentials: 'same-origin' })).status;
  } catch (error) {
    console.info('Video unreachable', error);
    return 0;
  }
}

/** Browsers block autoplay with sound before the first tap on a page; then the video starts muted. */
async function playWithSoundIfAllowed(video: HTMLVideoElement, silenced: () => void): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') throw error;
    video.muted = true;
    silenced();
    await video.play();
  }
}

function playNatively(video: HTMLVideoElement, source: string): Stream {
  video.src = source;
  return { detach: () => undefined };
}
