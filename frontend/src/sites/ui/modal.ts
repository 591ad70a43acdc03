/** A dialog over the page: the browser's own, which keeps the focus inside, closes on Escape and gives the focus back. */
import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** Old browsers know no dialogs: there it stands in the page. */
const isKnown = (dialog: HTMLDialogElement | null): dialog is HTMLDialogElement =>
  dialog !== null && 'showModal' in dialog;

/** Opens the dialog with the component. `onClose` is called once, after `close`, Escape or the browser's back gesture. */
export function useModal(onClose: () => void): {
  dialog: RefObject<HTMLDialogElement | null>;
  close: () => void;
} {
  const dialog = useRef<HTMLDialogElement>(null);
  // The event follows later: of a dialog that is open again it says nothing.
  const onClosed = useEffectEvent(() => dialog.current?.open || onClose());
  // A layout effect: it comes before what measures the dialog, which has no size until then, and closes it while it is still in the document;
  // only then the browser restores the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (!isKnown(shown)) return;
    const closed = () => onClosed();
    shown.showModal();
    shown.addEventListener('close', closed);
    return () => {
      shown.removeEventListener('close', closed);
      shown.close();
    };
  }, []);
  return { dialog, close: () => (isKnown(dialog.current) ? dialog.current.close() : onClose()) };
}
