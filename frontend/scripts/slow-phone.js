/** The phone and the lines of the measurements that Lighthouse has no audit for. */

/** DevTools' values of a line, as Lighthouse has them for an applied one: DevTools slows requests, not packets. */
const lineOf = (round_trip_ms, down_kbps, up_kbps) => ({
  offline: false,
  latency: round_trip_ms * 3.75,
  downloadThroughput: (down_kbps * 0.9 * 1024) / 8,
  uploadThroughput: (up_kbps * 0.9 * 1024) / 8,
});

export const SLOW_4G = lineOf(150, 1638.4, 750);
export const SLOW_3G = lineOf(400, 400, 400);
/** Milliseconds that fetching ahead, a page and a frame may take. */
export const PATIENCE_MS = 30_000;

/** Calls `measure` with a page of a phone without caches, and with what slows and touches it. */
export async function withPhone(browser, measure) {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'block',
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    return await measure({
      page,
      slowLine: line => devtools.send('Network.emulateNetworkConditions', line),
      slowProcessor: rate => devtools.send('Emulation.setCPUThrottlingRate', { rate }),
      touch: (type, ...touchPoints) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints }),
    });
  } finally {
    await context.close();
  }
}

/** The centre of an element. */
export async function centerOf(element) {
  const { x, y, width, height } = await element.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}
