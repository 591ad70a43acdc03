/** React hydrates what the server rendered: the first rendering in the browser must equal the server's, and the rest follows at once. */
import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** What the server cannot know or must not write: `onServer` there and while React hydrates, then `value`. */
export const useHydrated = <T extends string | boolean>(value: () => T, onServer: T): T =>
  useSyncExternalStore(never, value, () => onServer);

/** Cards of a list on the first screen of any device: three rows on a phone of two columns, two on a desktop of six. */
const FIRST_SCREEN_CARDS = 12;

/** Cuts a list to the first screen until the page is hydrated: the server renders no card that is out of sight. */
export function useFirstScreen(): <T>(list: T[], most?: number) => T[] {
  const hydrated = useHydrated(() => true, false);
  return (list, most = FIRST_SCREEN_CARDS) => (hydrated ? list : list.slice(0, most));
}
