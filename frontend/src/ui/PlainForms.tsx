/** Forms that do without scripts what buttons do with them; the gateway answers them. */
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { brand } from '../brand';
import { forms, paths } from '../paths';
import { serverInput } from '../server-input';

/** Proves a number. Pages never hold one, so it is typed again. */
export function PlainVerify() {
  return (
    <form className="plain-verify" method="post" action={forms.verify}>
      <input
        className="field"
        name="msisdn"
        type="text"
        inputMode="tel"
        autoComplete="tel"
        placeholder="eg 812xxxxxx"
        aria-label="Your phone number"
        required
      />
      <button type="submit" className="button">
        Confirm it's you
      </button>
    </form>
  );
}

type MarkProps = {
  /** What the button does: the name of the form's field. */
  name: 'like' | 'unlike' | 'watch' | 'unwatch';
  id: number;
  label?: string;
  className: string;
  children: ReactNode;
};

/** Within `PlainMarks`. Pressed where it takes something back. */
export function PlainMark({ name, id, label, className, children }: MarkProps) {
  return (
    <button
      type="submit"
      name={name}
      value={id}
      className={className}
      aria-label={label}
      aria-pressed={name.startsWith('un')}
    >
      {children}
    </button>
  );
}

/** Buttons that like and keep for later. `place`: what the page shows again afterwards. */
export function PlainMarks({ place, children }: { place: string; children: ReactNode }) {
  const { pathname, search } = useLocation();
  const after = new URLSearchParams(search).get('after');
  const back = `${pathname}${after ? `?after=${after}` : ''}#${place}`;
  return (
    <form id={place} className="plain-marks" method="post" action={forms.mark}>
      <input type="hidden" name="back" value={back} />
      {children}
    </form>
  );
}

/** In the buttons' place for who may not use them: where the way in is. */
export function PlainWayIn({
  flag,
  className,
  label,
  children,
}: {
  flag: '0' | '1';
  className: string;
  label?: string;
  children: ReactNode;
}) {
  return (
    <a className={className} href={flag === '1' ? paths.join() : brand().opt_in_url} aria-label={label}>
      {children}
    </a>
  );
}

/** Whether a form of this visitor may be accepted: where no session's cookie came along it is not. */
export const hasSession = (): boolean => serverInput()?.brand.session !== false;
