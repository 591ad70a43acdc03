/** Attaches an HLS stream to a video element. playback.ts loads this module, which contains hls.js, only for streams. */
import type HlsPlayer from 'hls.js';
import type { Level, Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext, LoaderStats } from 'hls.js';
import Hls from 'hls.js/light';
import type { ReadSaved } from '../saved/open-saved';
import { isAv1 } from './codecs';
import { hasSlowLink, wantsLessData } from './device';
import type { Quality } from './quality';

export type Stream = {
  detach: () => void;
  /** Changes the quality from the next segment on. Absent if the browser plays the stream natively and selects the quality itself. */
  setQuality?: (quality: Quality) => void;
  /** Whether it plays in AV1. Absent if the browser plays the stream natively. */
  isAv1?: () => boolean;
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

/** The script of hls.js's worker. */
export const WORKER: string = new URL('hls.js/dist/hls.worker.js', import.meta.url).href;

/** The status of a film that was removed while it played, as the gateway refuses it. */
const REFUSED = 403;

/** Reads saved files where hls.js would request them. Status 0: the key needs contact, as for a lost connection. */
const loaderOf = (read: ReadSaved) =>
  class SavedLoader implements Loader<LoaderContext> {
    context: LoaderContext | null = null;
    stats: LoaderStats = {
      aborted: false,
      loaded: 0,
      retry: 0,
      total: 0,
      chunkCount: 0,
      bwEstimate: 0,
      loading: { start: 0, first: 0, end: 0 },
      parsing: { start: 0, end: 0 },
      buffering: { start: 0, first: 0, end: 0 },
    };

    async load(
      context: LoaderContext,
      _settings: LoaderConfiguration,
      { onSuccess, onError }: LoaderCallbacks<LoaderContext>,
    ): Promise<void> {
      const { stats } = this;
      this.context = context;
      stats.loading.start = performance.now();
      // That of the main playlist is relative.
      const { href: url } = new URL(context.url, window.location.href);
      const found = await read(url).then(
        file => ({ file, code: REFUSED }),
        () => ({ file: undefined, code: 0 }),
      );
      if (stats.aborted) return;
      const { file, code } = found;
      if (!file) return onError({ code, text: '' }, context, null, stats);
      stats.loading.first = stats.loading.end = performance.now();
      stats.loaded = stats.total = file.byteLength;
      const data = context.responseType === 'arraybuffer' ? file : new TextDecoder().decode(file);
      onSuccess({ url, data }, stats, context, null);
    }

    abort(): void {
      this.stats.aborted = true;
    }

    destroy(): void {
      this.abort();
    }
  };

/**
 * `chosen` is called again once the stream's list has arrived: a visitor may choose meanwhile. `onFailed` is called when hls.js
 * has given up loading, with the status of the reply; 0 = there was none. `onFetched` is called with the bytes of each segment.
 * `firstSegmentAlone`: nothing more is loaded until `goOn`. `file`: the plain file, for a browser that cannot play the stream.
 * `saved`: reads the stream's files in place of requests. `av1`: plays the AV1 sizes of a stream that has some, and else the others.
 */
export function attachStream(
  video: HTMLVideoElement,
  address: string,
  chosen: () => Quality,
  onFailed: (status: number) => void,
  onFetched: (bytes: number) => void,
  firstSegmentAlone = false,
  file = address,
  saved?: ReadSaved,
  av1 = false,
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
    workerPath: WORKER,
    ...(saved && { loader: loaderOf(saved) }),
  });
  const setQuality = (quality: Quality) => {
    hls.nextLevel = { auto: -1, low: 0, high: bestLevel(hls) }[quality];
  };
  let recovered = Number.NEGATIVE_INFINITY;
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    keepLevels(hls, av1);
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
    isAv1: () => isAv1(hls.levels[0]?.videoCodec),
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

/** The shorter side of the largest picture where the phone saves data. */
const SAVING_LINES = 480;

/** Removes the levels of the other codec, and the large ones where the phone saves data. A saved film has one level, which stays. */
function keepLevels(hls: HlsPlayer, av1: boolean): void {
  const most = wantsLessData() ? SAVING_LINES : Number.POSITIVE_INFINITY;
  const isKept = ({ videoCodec, width, height }: Level) =>
    isAv1(videoCodec) === av1 && Math.min(width, height) <= most;
  if (!hls.levels.some(isKept) || hls.levels.every(isKept)) return;
  for (let index = hls.levels.length - 1; index >= 0; index--) {
    const level = hls.levels[index];
    if (level && !isKept(level)) hls.removeLevel(index);
  }
  hls.firstLevel = 0;
}

/** The highest level that fits the player's size. */
const bestLevel = (hls: HlsPlayer): number => Math.min(hls.levels.length - 1, hls.maxAutoLevel);
