/** The slowest of twelve interactions with a home and its search, on a processor six times slower: what INP counts of so few. */
import { centerOf, withPhone } from './slow-phone.js';

/** In the page: the longest event of each interaction, whose `duration` is in steps of eight milliseconds. */
function watchInteractions() {
  window.interactions = new Map();
  new PerformanceObserver(list => {
    for (const { interactionId, duration, target, name } of list.getEntries()) {
      const known = window.interactions.get(interactionId);
      if (interactionId && !(known?.ms >= duration))
        window.interactions.set(interactionId, {
          ms: duration,
          on: `${name} ${target?.closest('button, a, input')?.className ?? ''}`.trim(),
        });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
}

/** Four taps on what a kind's home is for. */
const OWN = {
  comedy: Array(4).fill('.deck-button[data-side=left]'),
  diski: Array(4).fill('.deck-button[data-side=left]'),
  meme: ['.like', 'dialog .button-quiet', '.like', 'dialog .button-quiet'],
  tt: Array(4).fill('.carousel-controls .icon-button:not(.carousel-step)'),
};
const MENU = '.site-header-toggle';
const WORDS = 'kettl';

/** Answers the slowest first: milliseconds, and what was touched. */
export const interactions = (browser, origin, kind) =>
  withPhone(browser, async ({ page, slowProcessor, touch }) => {
    await page.addInitScript(watchInteractions);
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
    await page.waitForSelector('html[data-hydrated]');
    await slowProcessor(6);
    // Seven taps, and the letters.
    for (const selector of [MENU, MENU, ...OWN[kind], '.site-bar a[href^="/search"]']) {
      const element = page.locator(selector).first();
      await element.scrollIntoViewIfNeeded();
      await touch('touchStart', await centerOf(element));
      await touch('touchEnd');
      await page.waitForTimeout(1200);
    }
    await page.locator('input[type=search]').focus();
    for (const letter of WORDS) {
      await page.keyboard.press(letter);
      await page.waitForTimeout(700);
    }
    const all = await page.evaluate(() => [...window.interactions.values()]);
    return all.sort((a, b) => b.ms - a.ms).slice(0, 3);
  });
