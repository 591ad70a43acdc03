/** Keyboard: `/` for the search, arrows in lists. */
import { type KeyboardEvent, useEffect } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** Runs on `/`, unless text is being typed or a dialog is open. */
export function useSlash(run: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [run]);
}

/** Which of `count` items the key leads to; `undefined` if it is no key of a list. */
export function nextIndex(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  const last = count - 1;
  if (key === 'ArrowDown') return Math.min(at + 1, last);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return undefined;
}

/** For a list's `onKeyDown`: arrows, Home and End move the focus between its items, which are marked `data-item`. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')];
  // Focus may be on another control of an item's row.
  const focused = document.activeElement;
  const row = focused?.closest('[data-row]');
  const at = items.findIndex(item => item === focused || row?.contains(item));
  const next = nextIndex(event.key, at, items.length);
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}
