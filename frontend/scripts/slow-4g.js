/** The phone and the line of the measurements that Lighthouse has no audit for. */

/** Lighthouse's applied slow 4G. */
export const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
export const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true };
/** Milliseconds that fetching ahead, a page and a frame may take. */
export const PATIENCE_MS = 30_000;
