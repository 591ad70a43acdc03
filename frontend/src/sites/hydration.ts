/** Hydration: the first rendering in the browser must equal the server's. Values that differ follow in a second rendering. */
import { useDeferredValue, useSyncExternalStore } from 'react';
import { cardsOnServer } from './server-input';

const noSubscription = () => () => undefined;

/** A value that the server does not know or must not write: `onServer` on the server and during hydration, then `value`. */
export const useHydrated = <T extends string | boolean>(value: () => T, onServer: T): T =>
  useSyncExternalStore(noSubscription, value, () => onServer);

/**
 * Limits a list to the first screen until the page is hydrated: the server renders only visible cards. The others follow as a deferred
 * rendering, which React interrupts for taps.
 */
export function useFirstScreen(): <T>(list: T[], most?: number) => T[] {
  const hydrated = useDeferredValue(useHydrated(() => true, false));
  return (list, most = cardsOnServer()) => (hydrated ? list : list.slice(0, most));
}
