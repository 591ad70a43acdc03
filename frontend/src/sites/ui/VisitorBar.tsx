/** The bar with the next step of a visitor without a session: to join, or to confirm the number of the address. */

import { Link, useLocation } from 'react-router';
import { notify } from '../../shared/ui/notify';
import { send } from '../api/client';
import { isStatus, messageOf } from '../api/problem';
import { useMutation } from '../api/query-client';
import { brand } from '../brand';
import { t } from '../messages';
import { forms, paths } from '../paths';
import { useFlag, useSession } from '../session';
import { useVisitor } from '../visitor';
import { rememberedPage, useWantedPage } from '../wanted';
import { PriceLine } from './PriceLine';
import { hasSavedFilms } from './saved-list';
import './visitor-bar.css';
import { Plain } from './Plain';

export function VisitorBar() {
  const { active } = useVisitor();
  const session = useSession();
  const flag = useFlag();
  const wanted = useWantedPage();
  // The gateway's form says so in the query.
  const notice = new URLSearchParams(useLocation().search).has('failed') && (
    <p className="visitor-bar-news" role="alert">
      {t('failed-removal')}
    </p>
  );
  if (active && session === null) {
    return (
      <aside className="visitor-bar" aria-label={t('confirm')}>
        {notice}
        <p>{t('last-step')}</p>
        <ConfirmButton />
      </aside>
    );
  }
  // Without a line it is not known whether the visitor has joined: one with saved films has.
  if (flag === '1' || session === undefined || (session === 'unreachable' && hasSavedFilms()))
    return notice ? <aside className="visitor-bar">{notice}</aside> : null;
  return (
    <aside className="visitor-bar" aria-label={t('join')}>
      {notice}
      <PriceLine />
      <Link className="button" to={paths.join(wanted)}>
        {t('JOIN')}
      </Link>
    </aside>
  );
}

export function ConfirmButton() {
  const { msisdn } = useVisitor();
  const wanted = useWantedPage();
  const confirming = useMutation({
    mutationFn: () =>
      send('POST /api/subscribe/verify', {
        msisdn,
        svc_id: brand().svc_id,
        page: wanted || rememberedPage() || undefined,
      }),
    onSuccess: ({ redirectUrl }) => window.location.assign(redirectUrl),
    onError: error => notify(messageOf(error, isStatus(error, 404, 409) ? t('not-joined') : undefined)),
  });
  // Until the network's page is there.
  const busy = confirming.isPending || confirming.isSuccess;
  if (!msisdn) {
    return (
      <Link className="button" to={paths.join(wanted)}>
        {t('confirm')}
      </Link>
    );
  }
  return (
    <form className="confirm" method="post" action={forms.verify}>
      {wanted && <input type="hidden" name="page" value={wanted} />}
      <Plain>{SERVER_RENDERING && <NumberField />}</Plain>
      <button
        type="submit"
        className="button"
        disabled={busy}
        data-early
        onClick={event => {
          event.preventDefault();
          confirming.mutate();
        }}
      >
        {t(busy ? 'loading-button' : 'confirm')}
      </button>
    </form>
  );
}

/** Pages never contain the number, so without scripts the visitor types it again. */
const NumberField = () => (
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
);
