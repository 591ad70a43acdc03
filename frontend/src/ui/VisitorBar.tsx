/** The bar with the next step of a visitor without a session: to join, or to confirm the number of the address. */

import { useState } from 'react';
import { Link } from 'react-router';
import { post } from '../api/client';
import { isStatus, messageOf } from '../api/problem';
import type { RedirectReply, VerifyRequest } from '../api/types';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { useFlag, useSession } from '../session';
import { useVisitor } from '../visitor';
import { rememberedPage, useWantedPage } from '../wanted';
import { NoScriptVerify } from './NoScriptForms';
import { NoScriptNotice } from './NoScriptNotice';
import { notify } from './notify';
import { PriceLine } from './PriceLine';
import './visitor-bar.css';

export function VisitorBar() {
  return (
    <>
      <noscript>{SERVER_RENDERING && <NoScriptNotice />}</noscript>
      <NextStep />
    </>
  );
}

function NextStep() {
  const { active } = useVisitor();
  const session = useSession();
  const flag = useFlag();
  const wanted = useWantedPage();
  if (active && session === null) {
    return (
      <aside className="visitor-bar" aria-label={t('confirm')}>
        <p>{t('last-step')}</p>
        <ConfirmButton />
      </aside>
    );
  }
  if (flag === '1' || session === undefined) return null;
  return (
    <aside className="visitor-bar" aria-label={t('join')}>
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
  const [busy, setBusy] = useState(false);
  if (!msisdn) {
    return (
      <Link className="button" to={paths.join(wanted)}>
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
        page: wanted || rememberedPage() || undefined,
      } satisfies VerifyRequest);
      window.location.assign(redirectUrl);
    } catch (error) {
      const unknown = isStatus(error, 404, 409);
      notify(messageOf(error, unknown ? t('not-joined') : undefined));
      setBusy(false);
    }
  };
  return (
    <>
      <noscript>{SERVER_RENDERING && <NoScriptVerify />}</noscript>
      <button type="button" className="button" disabled={busy} onClick={confirm}>
        {t(busy ? 'loading-button' : 'confirm')}
      </button>
    </>
  );
}
