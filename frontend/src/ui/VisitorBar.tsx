/** The bar with the next step of a visitor without a session: to join, or to confirm the number of the address. */

import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { post } from '../api/client';
import { isStatus, messageOf } from '../api/problem';
import type { RedirectReply, VerifyRequest } from '../api/types';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { useFlag, useSession } from '../session';
import { rememberNetworkRequest, useVisitor } from '../visitor';
import { NoScriptVerify } from './NoScriptForms';
import { NoScriptNotice } from './NoScriptNotice';
import { notify } from './notify';
import { PriceLine } from './PriceLine';
import './visitor-bar.css';
import { Plain } from './Plain';

export function VisitorBar() {
  return (
    <>
      <Plain>{SERVER_RENDERING && <NoScriptNotice />}</Plain>
      <NextStep />
    </>
  );
}

function NextStep() {
  const { active } = useVisitor();
  const session = useSession();
  const flag = useFlag();
  const { news } = (useLocation().state ?? {}) as { news?: string };
  const notice = news && (
    <p className="visitor-bar-news" role="status">
      {news}
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
  if (flag === '1' || session === undefined) {
    return notice ? (
      <aside className="visitor-bar" aria-label={t('news')}>
        {notice}
      </aside>
    ) : null;
  }
  return (
    <aside className="visitor-bar" aria-label={t('join')}>
      {notice}
      <PriceLine />
      <Link className="button" to={paths.join()}>
        {t('JOIN')}
      </Link>
    </aside>
  );
}

export function ConfirmButton() {
  const { msisdn } = useVisitor();
  const [busy, setBusy] = useState(false);
  if (!msisdn) {
    return (
      <Link className="button" to={paths.join()}>
        {t('confirm')}
      </Link>
    );
  }
  const confirm = async () => {
    setBusy(true);
    try {
      const { redirectUrl } = await post<RedirectReply>('/api/subscribe/verify', {
        msisdn,
        svc_id: brand().svc_id,
      } satisfies VerifyRequest);
      rememberNetworkRequest('verify');
      window.location.assign(redirectUrl);
    } catch (error) {
      const unknown = isStatus(error, 404, 409);
      notify(messageOf(error, unknown ? t('not-joined') : undefined));
      setBusy(false);
    }
  };
  return (
    <>
      <Plain>{SERVER_RENDERING && <NoScriptVerify />}</Plain>
      <button type="button" className="button" disabled={busy} onClick={confirm}>
        {t(busy ? 'loading-button' : 'confirm')}
      </button>
    </>
  );
}
