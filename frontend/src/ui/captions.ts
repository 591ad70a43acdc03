/** A video's captions: their language, and whether this visitor wants to read them, kept on this phone. */
import { keep, recall } from './phone-memory';

const KEY = 'spaza.captions';

/** The language stands before the ending, `taxi.zu.vtt`; without one it is English. */
export const codeOf = (address: string): string => /\.([a-z]{2,3})\.vtt(?:\?|$)/.exec(address)?.[1] ?? 'en';

/** A language is named as its speakers name it. */
export function languageOf(address: string): { code: string; name: string } {
  const code = codeOf(address);
  // Chrome before 81 knows no names.
  const names = 'DisplayNames' in Intl ? new Intl.DisplayNames(code, { type: 'language' }) : undefined;
  return { code, name: names?.of(code) ?? code };
}

export const wantsCaptions = (): boolean => recall(KEY) === 'on';

export const keepCaptions = (wanted: boolean): void => keep(KEY, wanted ? 'on' : 'off');

/** Tells whenever captions are shown or hidden, be it by our button or in the browser's own menu. Answers how to stop. */
export function followCaptions(video: HTMLVideoElement, told: (shown: boolean) => void): () => void {
  const tracks = video.textTracks;
  const follow = () => told(tracks[0]?.mode === 'showing');
  tracks.addEventListener('change', follow);
  return () => tracks.removeEventListener('change', follow);
}

/** The browser then tells of the change by itself. */
export function showCaptions(video: HTMLVideoElement, shown: boolean): void {
  const track = video.textTracks[0];
  if (track) track.mode = shown ? 'showing' : 'disabled';
}
