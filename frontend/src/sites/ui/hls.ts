/** Attaches an HLS stream to a video element. playback.ts loads this module, which contains hls.js, only for streams. */
import type HlsPlayer from 'hls.js';
import Hls from 'hls.js/light';
import { hasSlowLink } from './device';
import type { Quality } from './quality';

export type Stream = {
  detach: () => void;
  /** Changes the quality from the next segment on. Absent if the browser plays the stream natively and selects the quality itself. */
  setQuality?: (quality: Quality) => void;
  /** Loads more than the first segment from now on. Missing where the browser plays the stream by itself. */
  goOn?: () => void;
  /** Loads nothing more until `resume`. Missing where the browser plays the stream by itself. */
  stop?: (() => void) | undefined;
  /** Loads again after a failure. Absent if the browser plays the stream natively. */
  resume?: (() => void) | undefined;
};

/** Seconds of video loaded ahead. More would waste the data of visitors who leave. */
const BUFFER_S = 30;

/** Seconds per segment: hls.js fetches a whole segment while less than its limit is buffered. */
const SEGMENT_S = 4;

/** Seconds that are less than any segment: hls.js then fetches one. */
const FIRST_S = 0.5;

/** Milliseconds: a media error that comes back sooner is not cured by hls.js's own recovery. */
const RECOVERY_MS = 3000;

/**
 * `chosen` is called again once the stream's list has arrived: a visitor may choose meanwhile. `onFailed` is called when hls.js
 * has given up loading, with the status of the reply; 0 = there was none. `onFetched` is called with the bytes of each segment.
 * `firstSegmentAlone`: nothing more is loaded until `goOn`. `file`: the plain file, for a browser that cannot play the stream.
 */
export function attachStream(
  video: HTMLVideoElement,
  address: string,
  chosen: () => Quality,
  onFailed: (status: number) => void,
  onFetched: (bytes: number) => void,
  firstSegmentAlone = false,
  file = address,
): Stream {
  const playFile = (): Stream => {
    video.src = file;
    return { detach: () => undefined };
  };
  if (!Hls.isSupported()) return playFile();
  const hls = new Hls({
    capLevelToPlayerSize: true,
    maxBufferLength: firstSegmentAlone ? FIRST_S : BUFFER_S - SEGMENT_S,
    maxMaxBufferLength: firstSegmentAlone ? FIRST_S : BUFFER_S - SEGMENT_S,
    // To find the best start it would fetch another segment only to measure the link.
    testBandwidth: !firstSegmentAlone,
    backBufferLength: BUFFER_S,
    // Slow links start at the lowest quality, so that a short visit costs little data.
    startLevel: chosen() === 'low' || hasSlowLink() ? 0 : -1,
    // Without a worker path hls.js transmuxes segments on the main thread.
    workerPath: new URL('hls.js/dist/hls.worker.js', import.meta.url).href,
  });
  const setQuality = (quality: Quality) => {
    hls.nextLevel = { auto: -1, low: 0, high: bestLevel(hls) }[quality];
  };
  let recovered = Number.NEGATIVE_INFINITY;
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    const quality = chosen();
    if (quality !== 'auto') setQuality(quality);
  });
  hls.on(Hls.Events.FRAG_LOADED, (_event, { frag }) => onFetched(frag.stats.loaded));
  hls.on(Hls.Events.ERROR, (_event, data) => {
    console.info('Stream error', data.type, data.details);
    if (!data.fatal) return;
    if (data.type === Hls.ErrorTypes.NETWORK_ERROR) return onFailed(data.response?.code ?? 0);
    if (data.type === Hls.ErrorTypes.MEDIA_ERROR && performance.now() - recovered > RECOVERY_MS) {
      recovered = performance.now();
      const { paused } = video;
      hls.recoverMediaError();
      if (!paused) video.play().catch(error => console.info('Video does not resume', error));
      return;
    }
    hls.destroy();
    stream.resume = stream.stop = undefined;
    playFile();
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  const stream: Stream = {
    detach: () => hls.destroy(),
    setQuality,
    goOn: () => {
      hls.config.maxBufferLength = BUFFER_S - SEGMENT_S;
      hls.config.maxMaxBufferLength = BUFFER_S - SEGMENT_S;
    },
    stop: () => hls.stopLoad(),
    // Without levels the master playlist has not loaded yet.
    resume: () => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(address)),
  };
  return stream;
}

/** The highest level that fits the player's size. */
const bestLevel = (hls: HlsPlayer): number => Math.min(hls.levels.length - 1, hls.maxAutoLevel);
