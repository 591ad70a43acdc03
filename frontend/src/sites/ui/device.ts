/** The device's preferences and connection: reduced motion, Save-Data, slow links. */

export const wantsLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

type Connection = { saveData?: boolean; effectiveType?: string };

const connection = (): Connection => (navigator as Navigator & { connection?: Connection }).connection ?? {};

export const wantsLessData = (): boolean => connection().saveData === true;

export const hasSlowLink = (): boolean => wantsLessData() || /2g|3g/.test(connection().effectiveType ?? '');

export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(act, { timeout: 3000 });
  else setTimeout(act, 300);
}
