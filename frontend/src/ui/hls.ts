/** Attaches a stream address to a video element. hls.js is large: it is fetched for `.m3u8` alone. */
import type HlsPlayer from 'hls.js';
import { hasSlowLink } from './device';
import type { Quality } from './quality';

export type Stream = {
  detach: () => void;
  /** Changes the picture from the next segment on. Missing where the browser plays the stream by itself and decides alone. */
  setQuality?: (quality: Quality) => void;
};

/** Seconds of video loaded ahead: whoever leaves has paid for no more than this. */
const BUFFER_S = 30;

/** Seconds of one segment: hls.js fetches the next one whole as long as less than its bound is there. */
const SEGMENT_S = 4;

/** `chosen` is asked late: a visitor may choose while hls.js or the stream's list is still on its way. */
export async function attachStream(
  video: HTMLVideoElement,
  address: string,
  chosen: () => Quality,
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
    maxBufferLength: BUFFER_S - SEGMENT_S,
    maxMaxBufferLength: BUFFER_S - SEGMENT_S,
    backBufferLength: BUFFER_S,
    // The first segments decide what a glance costs: a slow link begins low and climbs.
    startLevel: chosen() === 'low' || hasSlowLink() ? 0 : -1,
    // Without this path the published module repackages segments on the page's own thread.
    workerPath: new URL('hls.js/dist/hls.worker.js', import.meta.url).href,
  });
  const setQuality = (wanted: Quality) => {
    hls.nextLevel = { auto: -1, low: 0, high: bestLevel(hls) }[wanted];
  };
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    const quality = chosen();
    if (quality !== 'auto') setQuality(quality);
  });
  hls.on(Hls.Events.ERROR, (_event, data) => {
    console.info('Stream error', data.type, data.details);
    if (!data.fatal) return;
    hls.destroy();
    // The element's own error then tells the player whether access was refused.
    natively();
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  return { detach: () => hls.destroy(), setQuality };
}

/** The finest that the player is large enough to show. */
const bestLevel = (hls: HlsPlayer): number => Math.min(hls.levels.length - 1, hls.maxAutoLevel);
