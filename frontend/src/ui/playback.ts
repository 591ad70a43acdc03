/**
 * Loads a video into its element, and resumes at the same second after a lost connection. The browser (MP4) and hls.js (streams) retry for
 * half a minute and then give up; after that this module retries.
 * It counts the fetched data, and stops fetching at the visitor's cap (data-meter.ts).
 */
import {
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { countData, fileCounter, isCapReached, onMeterChange } from './data-meter';
import type { Stream } from './hls';
import { chosenQuality } from './quality';
import { type Film, savedPosition, savePosition } from './resume';
import { type Retry, retrying } from './retry';

/** The file of a stream for browsers that cannot play it (`content transcode` makes it). */
export const plainFile = (source: string): string => source.replace(/[^/]*\.m3u8(?=$|\?)/, 'fallback.mp4');

export const isStream = (source: string): boolean => /\.m3u8(\?|$)/.test(source);

/** `HTMLMediaElement.HAVE_FUTURE_DATA`: more than the current frame is buffered. */
const HAVE_FUTURE_DATA = 3;

/** Milliseconds of waiting after which the notice is shown. */
const NOTICE_AFTER_MS = 4000;

/** Seconds: a jump from this close to the end to this close to the beginning is a loop. */
const LOOP_EDGE_S = 1.5;

/** Reloads of a file that the server has, after which it counts as not playable. */
const RELOADS = 2;

type Options = {
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

export function usePlayback(element: RefObject<HTMLVideoElement | null>, source: string, options: Options) {
  const [lost, setLost] = useState(false);
  const [capped, setCapped] = useState(false);
  const [unplayable, setUnplayable] = useState(false);
  const stream = useRef<Stream>(null);
  const retry = useRef<Retry>(null);
  /** The second to resume from after a failure. */
  const place = useRef(0);
  /** The video was played to its end and loops: no position is stored. */
  const ended = useRef(false);
  const reloads = useRef(0);
  const noticeTimer = useRef(0);
  const takeTurn = useRef((_waits: boolean) => {});
  const latestOptions = useRef(options);
  useLayoutEffect(() => {
    latestOptions.current = options;
  });

  const rememberPlace = useCallback(
    ({ currentTime, duration }: HTMLVideoElement) => {
      if (!latestOptions.current.turn)
        savePosition(source, ended.current ? 0 : currentTime, duration, latestOptions.current.film);
    },
    [source],
  );

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    let gone = false;
    let stopped = false;
    const mayStart = () => !latestOptions.current.turn?.waits && !latestOptions.current.turn?.byHand;
    const play = async () =>
      mayStart() &&
      playWithSoundIfAllowed(video, () => latestOptions.current.onSilenced()).catch(error =>
        console.info('Video does not start by itself', error),
      );

    const start = async (mayPlay = false) => {
      if (isCapReached()) return stop();
      if (!isStream(source)) {
        // One that was paused stays paused.
        const waits = !mayStart() || (!mayPlay && place.current > 0 && video.paused);
        video.autoplay = !waits;
        video.src = source;
        return waits ? undefined : play();
      }
      try {
        const waits = latestOptions.current.turn?.waits;
        const attached = playsStreams(video)
          ? playNatively(video, source)
          : await import(/* webpackChunkName: "hls" */ './hls').then(
              ({ attachStream }) =>
                attachStream(video, source, chosenQuality, failed, countData, waits, plainFile(source)),
              error => {
                console.info('No player for the stream', error);
                return playNatively(video, plainFile(source));
              },
            );
        if (gone) return attached.detach();
        stream.current = attached;
        if (!latestOptions.current.turn?.waits) attached.goOn?.();
      } catch (error) {
        console.info('No player for the stream', error);
        return failed(0);
      }
      return play();
    };

    /** Stops fetching at the cap. The browser fetches a file as long as the element has its address, so the address is removed. */
    const stop = () => {
      stopped = true;
      setCapped(true);
      setLost(false);
      window.clearTimeout(noticeTimer.current);
      video.pause();
      if (stream.current?.stop) return stream.current.stop();
      video.removeAttribute('src');
      video.load();
    };

    /** Resumes after the cap was lifted. A hidden tab does not start to play. */
    const goOn = () => {
      stopped = false;
      setCapped(false);
      const visible = document.visibilityState === 'visible';
      if (!stream.current?.resume) return start(visible);
      stream.current.resume();
      return visible && play();
    };

    let held = false;
    takeTurn.current = waits => {
      if (waits) {
        held = stream.current !== null;
        video.pause();
        return stream.current?.stop?.();
      }
      if (isCapReached()) return stop();
      stream.current?.goOn?.();
      if (held) stream.current?.resume?.();
      play();
    };

    const count = fileCounter(video, latestOptions.current.bytes);
    const countFile = () => stream.current?.stop || count();
    video.addEventListener('progress', countFile);
    video.addEventListener('timeupdate', countFile);
    const leaveMeter = onMeterChange(() => {
      if (isCapReached() !== stopped) stopped ? goOn() : stop();
    });

    /** `status`: the server's response; 0: no response. */
    const failed = (status: number) => {
      if (gone || stopped) return;
      if (status === 401 || status === 403) return latestOptions.current.onRefused(status);
      // A retry does not help after 4xx.
      if (status >= 400 && status < 500) return giveUp(status);
      if (video.readyState < HAVE_FUTURE_DATA) setLost(true);
      retry.current?.later();
    };

    /** A retry would not help. */
    const giveUp = (status: number) => {
      console.info('Video cannot be played', status);
      setUnplayable(true);
      window.clearTimeout(noticeTimer.current);
      setLost(false);
    };

    const again = async () => {
      const status = await statusOf(source);
      if (stopped) return;
      if (gone || status >= 400 || status === 0) return failed(status);
      if (stream.current?.resume) return stream.current.resume();
      if (reloads.current >= RELOADS) return giveUp(status);
      reloads.current += 1;
      return start();
    };

    const leave = () => rememberPlace(video);
    retry.current = retrying(again);
    start();
    window.addEventListener('pagehide', leave);
    return () => {
      gone = true;
      leave();
      leaveMeter();
      video.removeEventListener('progress', countFile);
      video.removeEventListener('timeupdate', countFile);
      window.removeEventListener('pagehide', leave);
      window.clearTimeout(noticeTimer.current);
      retry.current?.stop();
      stream.current?.detach();
      stream.current = null;
      video.removeAttribute('src');
      video.load();
    };
  }, [source, element, rememberPlace]);

  const isFirst = useRef(true);
  const waits = options.turn?.waits;
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    takeTurn.current(waits === true);
  }, [waits]);

  const onRecovered = () => {
    window.clearTimeout(noticeTimer.current);
    retry.current?.worked();
    reloads.current = 0;
    setLost(false);
    setUnplayable(false);
  };

  return {
    /** The video waits for the connection. */
    lost,
    /** Neither a retry nor another file helps. */
    unplayable,
    /** The cap is reached. */
    capped,
    stream,
    rememberPlace,
    tryAgain: () => retry.current?.now(),
    /** For the video element. */
    events: {
      onLoadedMetadata: ({ currentTarget: video }: SyntheticEvent<HTMLVideoElement>) => {
        const second = place.current || (latestOptions.current.turn ? 0 : savedPosition(source));
        if (second === 0 || second >= video.duration) return;
        video.currentTime = second;
        if (place.current === 0) latestOptions.current.onResumed();
      },
      onWaiting: () => {
        window.clearTimeout(noticeTimer.current);
        const tell = () => setLost(true);
        if (navigator.onLine) noticeTimer.current = window.setTimeout(tell, NOTICE_AFTER_MS);
        else tell();
      },
      onPlaying: onRecovered,
      onError: () => {
        const video = element.current;
        if (!video?.currentSrc) return;
        console.info('Video error', video.error?.code, video.error?.message);
        retry.current?.now();
      },
    },
    /** Call it on `timeupdate`. */
    progressed: (second: number) => {
      const duration = element.current?.duration ?? 0;
      if (place.current > duration - LOOP_EDGE_S && second < LOOP_EDGE_S) ended.current = true;
      if (second === 0 || second === place.current) return;
      place.current = second;
      if (lost) onRecovered();
    },
  };
}

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

/** Safari (which has ManagedMediaSource) plays HLS natively and reliably; Chrome's native HLS is not reliable. */
const playsStreams = (video: HTMLVideoElement): boolean =>
  'ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl') !== '';

function playNatively(video: HTMLVideoElement, source: string): Stream {
  video.src = source;
  return { detach: () => undefined };
}
