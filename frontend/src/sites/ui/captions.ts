/** A video's captions: their language, and whether they are shown, stored on this phone. */
import { getLocalItem, setLocalItem } from './local-storage';

const KEY = 'spaza.captions';

/** The language code from the file name (`taxi.zu.vtt`); English without one. */
export const codeOf = (address: string): string =>
  /\.([a-z]{2,3})\.vtt(?:\?|$)/i.exec(address)?.[1]?.toLowerCase() ?? 'en';

/** The language's code, and its name in that language. */
export function languageOf(address: string): { code: string; name: string } {
  const code = codeOf(address);
  // Chrome before 81 has no Intl.DisplayNames.
  const names = 'DisplayNames' in Intl ? new Intl.DisplayNames(code, { type: 'language' }) : undefined;
  return { code, name: names?.of(code) ?? code };
}

export const wantsCaptions = (): boolean => getLocalItem(KEY) === 'on';

export const saveCaptionsChoice = (shown: boolean): void => setLocalItem(KEY, shown ? 'on' : 'off');

/** Calls `onChange` when captions are shown or hidden, by the button or the browser's menu. Returns the function that stops it. */
export function onCaptionsChange(video: HTMLVideoElement, onChange: (shown: boolean) => void): () => void {
  const tracks = video.textTracks;
  const report = () => onChange(tracks[0]?.mode === 'showing');
  tracks.addEventListener('change', report);
  return () => tracks.removeEventListener('change', report);
}

/** The browser fires a change event afterwards. */
export function showCaptions(video: HTMLVideoElement, shown: boolean): void {
  const track = video.textTracks[0];
  if (track) track.mode = shown ? 'showing' : 'disabled';
}
