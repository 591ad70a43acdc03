/** Attaches an HLS stream to a video element. hls.js is large, so it is loaded only for `.m3u8`. */
import type HlsPlayer from 'hls.js';
import { hasSlowLink } from './device';
import type { Quality } from './quality';

export type Stream = {
  detach: () => void;
  /** Changes the quality from the next segment on. Absent if the browser plays the stream natively and selects the quality itself. */
  setQuality?: (quality: Quality) => void;
  /** Stops loading until `resume`. Absent if the browser plays the stream natively. */
  stop?: (() => void) | undefined;
  /** Loads again after a failure. Absent if the browser plays the stream natively. */
  resume?: (() => void) | undefined;
};

/** Seconds of video loaded ahead. More would waste the data of visitors who leave. */
const BUFFER_S = 30;

/** Seconds per segment: hls.js fetches a whole segment while less than its limit is buffered. */
const SEGMENT_S = 4;

/** Milliseconds: if a media error recurs sooner, the recovery of hls.js does not help. */
const RECOVERY_MS = 3000;

/**
 * `chosen` is called when it is needed, because the visitor may choose while hls.js or the playlist is loading. `onFailed` is called when
 * hls.js has given up loading, with the status of the response; 0: no response. `onFetched` is called with the bytes of each segment.
 */
export async function attachStream(
  video: HTMLVideoElement,
  address: string,
  chosen: () => Quality,
  onFailed: (status: number) => void,
  onFetched: (bytes: number) => void,
): Promise<Stream> {
  const playNatively = (): Stream => {
    video.src = address;
    return { detach: () => undefined };
  };
  // Safari (which has ManagedMediaSource) plays HLS natively and reliably; Chrome's native HLS is not reliable.
  if ('ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl'))
    return playNatively();
  const { default: Hls } = await import(/* webpackChunkName: "hls" */ 'hls.js/light');
  if (!Hls.isSupported()) return playNatively();
  const hls = new Hls({
    capLevelToPlayerSize: true,
    maxBufferLength: BUFFER_S - SEGMENT_S,
    maxMaxBufferLength: BUFFER_S - SEGMENT_S,
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
    playNatively();
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  const stream: Stream = {
    detach: () => hls.destroy(),
    setQuality,
    stop: () => hls.stopLoad(),
    // Without levels the master playlist has not loaded yet.
    resume: () => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(address)),
  };
  return stream;
}

/** The highest level that fits the player's size. */
const bestLevel = (hls: HlsPlayer): number => Math.min(hls.levels.length - 1, hls.maxAutoLevel);
