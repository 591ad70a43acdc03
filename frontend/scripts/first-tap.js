/** How soon after its first paint a page answers a tap, on slow 3G and a processor four times slower, as of a first visit. */
import { centerOf, SLOW_3G, withPhone } from './slow-phone.js';

/** In every document: the time of its first paint, and that of the first frame with what the tap leads to, in milliseconds since 1970. */
function watch(shows) {
  const now = () => performance.timeOrigin + performance.now();
  new PerformanceObserver(list => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') window.paintedAt = performance.timeOrigin + startTime;
  }).observe({ type: 'paint', buffered: true });
  const look = () => {
    if (!document.querySelector(shows)?.checkVisibility()) return requestAnimationFrame(look);
    // The frame after this one contains it.
    requestAnimationFrame(() => {
      window.shownAt = now();
    });
  };
  look();
}

/**
 * Opens the address, taps the button that matches `taps` as soon as it is painted, and answers the milliseconds from that paint until what
 * matches `shows` is on the screen, there or on a page that the tap opens. `number` is typed before.
 */
export const firstTap = (browser, address, { taps, shows, number }) =>
  withPhone(browser, async ({ page, slowLine, slowProcessor, touch }) => {
    const read = async name => (await page.waitForFunction(key => window[key], name)).jsonValue();
    await slowLine(SLOW_3G);
    await slowProcessor(4);
    await page.addInitScript(watch, shows);
    await page.goto(address, { waitUntil: 'commit' });
    const painted = await read('paintedAt');
    if (number) await page.locator('input[name=msisdn]').fill(number);
    await touch('touchStart', await centerOf(page.locator(taps)));
    await touch('touchEnd');
    return Math.round((await read('shownAt')) - painted);
  });
