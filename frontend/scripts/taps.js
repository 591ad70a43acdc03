/**
 * How soon a tap on a link shows the next page on slow 4G: when a touch before it made the page fetch code and data, or without one, with what
 * the page has by itself; and how soon there is a sign that the tap counts.
 */
import { centerOf, PATIENCE_MS, SLOW_4G, withPhone } from './slow-phone.js';

/** In the page: the milliseconds from the end of a tap to the first frame with a sign of it, and to that with the next page's content. */
function watchTap([shows, patience]) {
  window.afterTap = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no page after a tap')), patience);
    const before = location.pathname;
    document.addEventListener(
      'touchend',
      () => {
        const lifted = performance.now();
        let sign;
        const look = () => {
          const isShown =
            location.pathname !== before &&
            !document.querySelector('main [aria-busy=true], main .skeleton') &&
            document.querySelector(shows);
          const bar = document.querySelector('.progress');
          if (isShown || (bar && getComputedStyle(bar).opacity > 0)) sign ??= performance.now() - lifted;
          if (!isShown) return requestAnimationFrame(look);
          // The frame after this one contains it.
          requestAnimationFrame(() => resolve({ sign, content: performance.now() - lifted }));
        };
        look();
      },
      { once: true, capture: true },
    );
  });
}

/**
 * Taps the first `count` links that match `links` on the page at `path`, and goes back after each. A touch that is cancelled, as by a scroll,
 * makes the page fetch what the link needs; without `touched` there is none, and nothing was fetched for an earlier link. Answers the
 * milliseconds of each tap. `shows` is in the next page's content.
 */
export const taps = (browser, origin, path, { links, shows, count, touched }) =>
  withPhone(browser, async ({ page, slowLine, touch }) => {
    await slowLine(SLOW_4G);
    await page.goto(origin + path, { waitUntil: 'networkidle' });
    const times = [];
    const available = await page.locator(links).count();
    for (let place = 0; place < Math.min(count, available); place += 1) {
      const link = page.locator(links).nth(place);
      await link.scrollIntoViewIfNeeded();
      await page.waitForLoadState('networkidle');
      const point = await centerOf(link);
      if (touched) {
        await touch('touchStart', point);
        await touch('touchCancel');
        // The requests begin after the touch.
        await page.waitForTimeout(200);
        await page.waitForLoadState('networkidle');
      }
      await page.waitForTimeout(3000);
      await page.evaluate(watchTap, [shows, PATIENCE_MS]);
      await touch('touchStart', point);
      await touch('touchEnd');
      const { sign, content } = await page.evaluate(() => window.afterTap);
      times.push({ sign: Math.round(sign), content: Math.round(content) });
      await page.goBack();
      await page.locator(links).nth(place).waitFor();
    }
    return times;
  });
