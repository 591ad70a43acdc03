/**
 * Whether a member of staff is at the screen. Otherwise no query is repeated, which would keep an unattended session alive and read numbers
 * that no member of staff looks at.
 */
import { useSyncExternalStore } from 'react';
import { focusManager } from '../shared/http/queries';

/** Without any input for so long, the member of staff is away. */
const AWAY_MS = 120_000;

const INPUT = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'visibilitychange'];

/** Repeated queries wait while the tab is hidden or without input. */
export function watchPresence(): void {
  focusManager.setEventListener(setFocused => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setFocused(false), AWAY_MS);
      setFocused(document.visibilityState === 'visible');
    };
    for (const name of INPUT) document.addEventListener(name, look, { passive: true, capture: true });
    look();
    return () => {
      clearTimeout(timer);
      for (const name of INPUT) document.removeEventListener(name, look, { capture: true });
    };
  });
}

export const usePresence = (): boolean =>
  useSyncExternalStore(focusManager.subscribe, () => focusManager.isFocused());
