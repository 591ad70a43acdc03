/** Forms for browsers without scripts, in place of the buttons that need scripts. The gateway handles them. */

import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { t } from '../messages';
import { forms, paths } from '../paths';
import { serverInput } from '../server-input';
import { useWantedPage } from '../wanted';

/** Verifies a number. Pages never contain the number, so the visitor types it again. */
export function NoScriptVerify() {
  const wanted = useWantedPage();
  return (
    <form className="plain-verify" method="post" action={forms.verify}>
      {wanted && <input type="hidden" name="page" value={wanted} />}
      <input
        className="field"
        name="msisdn"
        type="text"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t('number-example')}
        aria-label={t('your-number')}
        required
      />
      <button type="submit" className="button">
        {t('confirm')}
      </button>
    </form>
  );
}

type MarkProps = {
  /** The action: the name of the form's field. */
  name: 'like' | 'unlike' | 'watch' | 'unwatch';
  id: number;
  label?: string;
  className: string;
  children: ReactNode;
};

/** A button in `NoScriptMarks`. It is pressed if it undoes something. */
export function NoScriptMark({ name, id, label, className, children }: MarkProps) {
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

/** The form of Like and Watchlist buttons. `place` is the fragment that the page shows after the redirect. */
export function NoScriptMarks({ place, children }: { place: string; children: ReactNode }) {
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

/** Replaces the buttons for visitors without a session: a link to join. */
export function NoScriptJoinLink({
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
  const wanted = useWantedPage();
  return (
    <a
      className={className}
      href={flag === '1' ? paths.join(wanted) : paths.optIn(wanted)}
      aria-label={label}
    >
      {children}
    </a>
  );
}

/** False if the page's request had no session cookie: the gateway would reject the forms. */
export const hasSession = (): boolean => serverInput()?.brand.session !== false;
