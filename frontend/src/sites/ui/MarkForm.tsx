/** A button of Like or Watchlist. It is a form, which the gateway handles where scripts do not run. */

import type { ComponentProps } from 'react';
import { useLocation } from 'react-router';
import { forms } from '../paths';

type Props = ComponentProps<'button'> & {
  name: 'like' | 'watch';
  /** The item's id. */
  value: number;
  on: boolean;
  /** The fragment that the page shows afterwards. */
  place: string;
  onToggle: () => void;
};

export function MarkForm({ name, on, place, onToggle, ...button }: Props) {
  const { pathname, search } = useLocation();
  const after = new URLSearchParams(search).get('after');
  return (
    <form
      className="mark-form"
      method="post"
      action={forms.mark}
      onSubmit={event => {
        event.preventDefault();
        onToggle();
      }}
    >
      <input type="hidden" name="back" value={`${pathname}${after ? `?after=${after}` : ''}#${place}`} />
      <button type="submit" name={on ? `un${name}` : name} {...button} />
    </form>
  );
}
