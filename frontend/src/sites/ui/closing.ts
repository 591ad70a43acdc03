/** What opens below its button closes by a click elsewhere, or by Escape. */
import { type RefObject, useEffect } from 'react';

/** `box`: the button, which is the first of it, and what opens. */
export function useClosing(
  box: RefObject<HTMLElement | null>,
  open: boolean,
  setOpen: (open: boolean) => void,
): void {
  useEffect(() => {
    if (!open) return;
    const closeOutside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      box.current?.querySelector('button')?.focus();
    };
    // Closes on click, not on pointerdown: the content below the list would move away before the tap ends.
    document.addEventListener('click', closeOutside);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('click', closeOutside);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [box, open, setOpen]);
}
