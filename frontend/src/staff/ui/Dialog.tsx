/** A modal dialog: the browser's own, which keeps the focus inside, closes on Escape and gives the focus back. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { words } from '../words';
import { icons } from './icons';

type Props = {
  title: string;
  /** For what needs more room than a form. */
  wide?: boolean;
  /** Whether it hides what is behind it. */
  covers?: boolean;
  onClose: () => void;
  children: ReactNode;
};

export function Dialog({ title, wide = false, covers = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? 'wide' : covers ? 'covers' : undefined}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="button quiet square"
          aria-label={words.common.close}
          onClick={onClose}
        >
          {icons.close}
        </button>
      </header>
      {children}
    </dialog>
  );
}
