/** Attaches a stream address to a video element. hls.js is large: it is fetched for `.m3u8` alone. */
import type HlsPlayer from 'hls.js';
import { hasSlowLink } from './device';
import type { Quality } from './quality';

export type Stream = {
  detach: () => void;
  /** Changes the picture from the next segment on. Missing where the browser plays the stream by itself and decides alone. */
  setQuality?: (quality: Quality) => void;
  /** Loads more than the first segment from now on. Missing where the browser plays the stream by itself. */
  goOn?: () => void;
  /** Loads nothing more until `resume`. Missing where the browser plays the stream by itself. */
  stop?: (() => void) | undefined;
  /** Goes on loading after a failure. Missing where the browser plays the stream by itself. */
  resume?: (() => void) | undefined;
};

/** Seconds of video loaded ahead: whoever leaves has paid for no more than this. */
const BUFFER_S = 30;

/** Seconds of one segment: hls.js fetches the next one whole as long as less than its bound is there. */
const SEGMENT_S = 4;

/** Seconds that are less than any segment: hls.js then fetches one. */
const FIRST_S = 0.5;

/** Milliseconds: a media error that comes back sooner is not cured by hls.js's own recovery. */
const RECOVERY_MS = 3000;

/**
 * `chosen` is asked late: a visitor may choose while hls.js or the stream's list is still on its way. `onFailed` is called when hls.js
 * has given up loading, with the status of the reply; 0 = there was none. `onFetched` is called with the bytes of each segment.
 * `firstSegmentAlone`: nothing more is loaded until `goOn`.
 */
export async function attachStream(
  video: HTMLVideoElement,
  address: string,
  chosen: () => Quality,
  onFailed: (status: number) => void,
  onFetched: (bytes: number) => void,
  firstSegmentAlone = false,
): Promise<Stream> {
  const natively = (): Stream => {
    video.src = address;
    return { detach: () => undefined };
  };
  // Where MediaSource is managed (Safari), native HLS is sound; Chrome's own is not to be trusted.
  if ('ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl')) return natively();
  const { default: Hls } = await import(/* webpackChunkName: "hls" */ 'hls.js/light');
  if (!Hls.isSupported()) return natively();
  const hls = new Hls({
    capLevelToPlayerSize: true,
    maxBufferLength: firstSegmentAlone ? FIRST_S : BUFFER_S - SEGMENT_S,
    maxMaxBufferLength: firstSegmentAlone ? FIRST_S : BUFFER_S - SEGMENT_S,
    // To find the best start it would fetch another segment only to measure the link.
    testBandwidth: !firstSegmentAlone,
    backBufferLength: BUFFER_S,
    // The first segments decide what a glance costs: a slow link begins low and climbs.
    startLevel: chosen() === 'low' || hasSlowLink() ? 0 : -1,
    // Without this path the published module repackages segments on the page's own thread.
    workerPath: new URL('hls.js/dist/hls.worker.js', import.meta.url).href,
  });
  const setQuality = (wanted: Quality) => {
    hls.nextLevel = { auto: -1, low: 0, high: bestLevel(hls) }[wanted];
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
      if (!paused) video.play().catch(error => console.info('Video does not go on', error));
      return;
    }
    hls.destroy();
    stream.resume = stream.stop = undefined;
    natively();
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
    // Without a list of levels the stream has not even begun.
    resume: () => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(address)),
  };
  return stream;
}

/** The finest that the player is large enough to show. */
const bestLevel = (hls: HlsPlayer): number => Math.min(hls.levels.length - 1, hls.maxAutoLevel);
