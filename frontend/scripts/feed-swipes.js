/** How soon a video shows its first frame after a swipe up, on slow 4G, when the feed has fetched its beginning ahead. */

import { PATIENCE_MS, SLOW_4G, withPhone } from './slow-phone.js';

/** In the page: the milliseconds from the finger's last touch to the first frame of the video that plays then. */
function watchSwipes(patience) {
  window.afterSwipe = () =>
    new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('no frame after a swipe')), patience);
      const before = document.querySelector('.feed li:not([inert]) video');
      let lifted = Number.POSITIVE_INFINITY;
      let frameAt;
      const finish = () =>
        frameAt && lifted < Number.POSITIVE_INFINITY && resolve(Math.max(0, frameAt - lifted));
      const lift = () => {
        lifted = performance.now();
        finish();
      };
      // Where the touched element leaves the document meanwhile, only the element hears of the touch's end.
      const touch = ({ target }) => target.addEventListener('touchend', lift, { once: true });
      document.addEventListener('touchstart', touch, { once: true, capture: true });
      const look = () => {
        const now = document.querySelector('.feed li:not([inert]) video');
        if (!now || now === before) return requestAnimationFrame(look);
        const frame = at => {
          if (now.paused) return now.requestVideoFrameCallback(frame);
          frameAt = at;
          finish();
        };
        now.requestVideoFrameCallback(frame);
      };
      look();
    });
}

/** `home`: the address that opens the test number's session. Answers the milliseconds of each swipe. */
export const feedSwipes = (browser, origin, home, count) =>
  withPhone(browser, async ({ page, slowLine, touch }) => {
    await page.addInitScript(watchSwipes, PATIENCE_MS);
    const opened = page.waitForResponse('**/api/session/test');
    await page.goto(origin + home);
    await opened;
    await slowLine(SLOW_4G);
    await page.goto(`${origin}/feed`);
    const times = [];
    for (let swipe = 0; swipe < count; swipe += 1) {
      // Fetched ahead: a frame of the next one is there.
      await page.waitForFunction(() => {
        const slides = [...document.querySelectorAll('.feed li')];
        const next = slides[slides.findIndex(each => !each.inert) + 1];
        const feed = document.querySelector('.feed');
        return (
          feed?.scrollTop % feed?.clientHeight < 1 && (next?.querySelector('video')?.readyState ?? 0) > 2
        );
      });
      const shown = page.evaluate(() => window.afterSwipe());
      await touch('touchStart', { x: 206, y: 600 });
      for (let step = 1; step <= 8; step += 1) await touch('touchMove', { x: 206, y: 600 - 65 * step });
      await touch('touchEnd');
      times.push(Math.round(await shown));
    }
    return times;
  });

/** The value that three of four swipes keep. */
export const p75 = values => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1];
