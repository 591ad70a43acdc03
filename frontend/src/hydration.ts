/** React hydrates what the server rendered: the first rendering in the browser must equal the server's, and the rest follows at once. */
import { useSyncExternalStore } from 'react';
import { cardsOnServer } from './server-input';

const never = () => () => undefined;

/** What the server cannot know or must not write: `onServer` there and while React hydrates, then `value`. */
export const useHydrated = <T extends string | boolean>(value: () => T, onServer: T): T =>
  useSyncExternalStore(never, value, () => onServer);

/** Cuts a list to the first screen until the page is hydrated: the server renders no card that is out of sight. */
export function useFirstScreen(): <T>(list: T[], most?: number) => T[] {
  const hydrated = useHydrated(() => true, false);
  return (list, most = cardsOnServer()) => (hydrated ? list : list.slice(0, most));
}
