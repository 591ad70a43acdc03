/**
 * Loads a video into its element, and goes on after a lost connection: at the same second, when the connection is back. The browser
 * (MP4) and hls.js (streams) try for half a minute by themselves, and then give up for good; from there on this module tries.
 * What is fetched is counted, and fetching stops at the cap that the person has set (data-meter.ts).
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { countData, fileCounter, followMeter, isCapReached } from './data-meter';
import { attachStream, type Stream } from './hls';
import { chosenQuality } from './quality';
import { type Film, leaveAt, leftAt } from './resume';
import { type Retry, retrying } from './retry';

export const isStream = (source: string): boolean => /\.m3u8(\?|$)/.test(source);

/** The element's state in which it has more than the picture it shows. */
const HAVE_FUTURE_DATA = 3;

/** Milliseconds without a picture after which the visitor is told. */
const PATIENCE_MS = 4000;

/** Seconds: from within this much of its end to within this much of its beginning, a looping video has ended. */
const ROUND_S = 1.5;

/** A file that fails this often although the server has it cannot be played. */
const RELOADS = 2;

type Options = {
  film: Film | undefined;
  /** What the file weighs. */
  bytes: number;
  /** The server answered 401 or 403. */
  onRefused: (status: number) => void;
  /** The browser allowed it to start without sound only. */
  onSilenced: () => void;
  /** It began where this phone had left it. */
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
  const stream = useRef<Stream>(null);
  const retry = useRef<Retry>(null);
  /** The second to go on from after a failure. */
  const place = useRef(0);
  /** Seen to its end: what is played now is a repetition, and need not be remembered. */
  const ended = useRef(false);
  const reloads = useRef(0);
  const patience = useRef(0);
  const takeTurn = useRef((_waits: boolean) => {});
  const told = useRef(options);
  told.current = options;

  const rememberPlace = useCallback(
    ({ currentTime, duration }: HTMLVideoElement) => {
      if (!told.current.turn) leaveAt(source, ended.current ? 0 : currentTime, duration, told.current.film);
    },
    [source],
  );

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    let gone = false;
    let stopped = false;
    const mayStart = () => !told.current.turn?.waits && !told.current.turn?.byHand;
    const play = async () =>
      mayStart() &&
      playWithSoundIfAllowed(video, () => told.current.onSilenced()).catch(error =>
        console.info('Video does not start by itself', error),
      );

    const start = async (wanted = false) => {
      if (isCapReached()) return stop();
      if (!isStream(source)) {
        // One that was paused stays paused.
        const waits = !mayStart() || (!wanted && place.current > 0 && video.paused);
        video.autoplay = !waits;
        video.src = source;
        return waits ? undefined : play();
      }
      try {
        const waits = told.current.turn?.waits;
        const attached = await attachStream(video, source, chosenQuality, failed, countData, waits);
        if (gone) return attached.detach();
        stream.current = attached;
        if (!told.current.turn?.waits) attached.goOn?.();
      } catch (error) {
        console.info('No player for the stream', error);
        return failed(0);
      }
      return play();
    };

    /** At the cap: what was fetched counts already, and nothing more is. A file is fetched as long as the element has its address. */
    const stop = () => {
      stopped = true;
      setCapped(true);
      setLost(false);
      window.clearTimeout(patience.current);
      video.pause();
      if (stream.current?.stop) return stream.current.stop();
      video.removeAttribute('src');
      video.load();
    };

    /** A tab that nobody looks at does not begin to sound because of another. */
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

    const count = fileCounter(video, told.current.bytes);
    const countFile = () => stream.current?.stop || count();
    video.addEventListener('progress', countFile);
    video.addEventListener('timeupdate', countFile);
    const leaveMeter = followMeter(() => {
      if (isCapReached() !== stopped) stopped ? goOn() : stop();
    });

    /** `status`: what the server answered; 0 where it could not be reached. */
    const failed = (status: number) => {
      if (gone || stopped) return;
      if (status === 401 || status === 403) return told.current.onRefused(status);
      // What is not there does not come by trying again.
      if (status >= 400 && status < 500) return giveUp(status);
      if (video.readyState < HAVE_FUTURE_DATA) setLost(true);
      retry.current?.later();
    };

    /** Only logged: a connection that comes back would not help. */
    const giveUp = (status: number) => {
      console.info('Video cannot be played', status);
      window.clearTimeout(patience.current);
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
      window.clearTimeout(patience.current);
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

  const works = () => {
    window.clearTimeout(patience.current);
    retry.current?.worked();
    reloads.current = 0;
    setLost(false);
  };

  return {
    /** The video waits for the connection. */
    lost,
    /** The cap is reached. */
    capped,
    stream,
    rememberPlace,
    tryAgain: () => retry.current?.now(),
    /** For the video element. */
    events: {
      onLoadedMetadata: () => {
        const video = element.current;
        if (!video) return;
        const second = place.current || (told.current.turn ? 0 : leftAt(source));
        if (second === 0 || second >= video.duration) return;
        video.currentTime = second;
        if (place.current === 0) told.current.onResumed();
      },
      onWaiting: () => {
        window.clearTimeout(patience.current);
        const tell = () => setLost(true);
        if (navigator.onLine) patience.current = window.setTimeout(tell, PATIENCE_MS);
        else tell();
      },
      onPlaying: works,
      onError: () => {
        const video = element.current;
        if (!video?.currentSrc) return;
        console.info('Video error', video.error?.code, video.error?.message);
        retry.current?.now();
      },
    },
    /** Call it as the video plays on. */
    progressed: (second: number) => {
      const duration = element.current?.duration ?? 0;
      if (place.current > duration - ROUND_S && second < ROUND_S) ended.current = true;
      if (second === 0 || second === place.current) return;
      place.current = second;
      if (lost) works();
    },
  };
}

/** The server's word about the video, without a byte of it; 0 without a connection. */
async function statusOf(source: string): Promise<number> {
  try {
    return (await fetch(source, { method: 'HEAD', credentials: 'same-origin' })).status;
  } catch (error) {
    console.info('Video unreachable', error);
    return 0;
  }
}

/** Browsers refuse sound before the first tap on a page; then the video starts silent. */
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
