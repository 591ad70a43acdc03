/**
 * The browser takes over what the server has drawn: its own first drawing must be the same, and what is different here and now comes
 * right after it. A page that the browser draws from the start has everything at once.
 */
import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** What the server could not know, or would not write: `instead` while the page is taken over, then `value`. */
export const useUnwritten = <T extends string | boolean>(value: () => T, instead: T): T =>
  useSyncExternalStore(never, value, () => instead);

/** Cards of a list that are on a first screen, however large it is: three rows on a phone of two, two on a desktop of six. */
const SCREENFUL = 12;

/** Cuts a list to what the first screen of any device shows, until the page is taken over: what nobody sees yet would only be bytes. */
export function useFirstScreen(): <T>(list: T[], most?: number) => T[] {
  const whole = useUnwritten(() => true, false);
  return (list, most = SCREENFUL) => (whole ? list : list.slice(0, most));
}
