/** The device's preferences and connection: reduced motion, Save-Data, slow links. */

export const wantsLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

type Connection = { saveData?: boolean; effectiveType?: string; type?: string };

const connection = (): Connection => (navigator as Navigator & { connection?: Connection }).connection ?? {};

export const wantsLessData = (): boolean => connection().saveData === true;

export const hasSlowLink = (): boolean => wantsLessData() || /2g|3g/.test(connection().effectiveType ?? '');

/** Whether the connection costs mobile data, as far as the browser tells: most tell nothing. */
export function lineKind(): 'wifi' | 'mobile' | 'unknown' {
  const { type = 'unknown' } = connection();
  if (type === 'unknown' || type === 'other') return 'unknown';
  return type === 'wifi' || type === 'ethernet' ? 'wifi' : 'mobile';
}

export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(act, { timeout: 3000 });
  else setTimeout(act, 300);
}

/** Safari (which has ManagedMediaSource) plays HLS natively and reliably; Chrome's native HLS is not reliable. */
export const playsStreams = (video = document.createElement('video')): boolean =>
  'ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl') !== '';
