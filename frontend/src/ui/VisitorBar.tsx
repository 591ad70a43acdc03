/** The next step of whoever is not let in yet: joining, or proving to be the subscriber that the page believes in. */
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { post } from '../api/client';
import { isStatus, messageOf } from '../api/problem';
import type { RedirectReply, VerifyRequest } from '../api/types';
import { brand } from '../brand';
import { paths } from '../paths';
import { useFlag, useSession } from '../session';
import { type NetworkRequest, sentToNetworkFor, useVisitor } from '../visitor';
import { notify } from './notify';
import { PlainVerify } from './PlainForms';
import { PlainNews } from './PlainNews';
import { PriceLine } from './PriceLine';
import './visitor-bar.css';

/** What a visitor is told who comes back from the network without its confirmation. */
const UNCONFIRMED: Record<NetworkRequest, string> = {
  join: 'You have not joined: your network has not confirmed it. Nothing is charged.',
  verify: 'Your network has not confirmed that the number is yours.',
  leave: 'If you confirmed it to your network, your subscription has ended.',
};

export function VisitorBar() {
  return (
    <>
      <noscript>{SERVER_RENDERING && <PlainNews words={UNCONFIRMED} />}</noscript>
      <NextStep />
    </>
  );
}

function NextStep() {
  const { active } = useVisitor();
  const session = useSession();
  const flag = useFlag();
  const { unconfirmed } = (useLocation().state ?? {}) as { unconfirmed?: NetworkRequest };
  const news = unconfirmed && (
    <p className="visitor-bar-news" role="status">
      {UNCONFIRMED[unconfirmed]}
    </p>
  );
  if (active && session === null) {
    return (
      <aside className="visitor-bar" aria-label="Confirm it's you">
        {news}
        <p>One last step before you can play and like.</p>
        <ConfirmButton />
      </aside>
    );
  }
  if (flag === '1' || session === undefined) {
    return news ? (
      <aside className="visitor-bar" aria-label="News">
        {news}
      </aside>
    ) : null;
  }
  return (
    <aside className="visitor-bar" aria-label="Join">
      {news}
      <PriceLine />
      <Link className="button" to={paths.join()}>
        JOIN
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
        Confirm it's you
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
      sentToNetworkFor('verify');
      window.location.assign(redirectUrl);
    } catch (error) {
      const unknown = isStatus(error, 404, 409);
      notify(messageOf(error, unknown ? 'This number is not active yet. Please join first.' : undefined));
      setBusy(false);
    }
  };
  return (
    <>
      <noscript>{SERVER_RENDERING && <PlainVerify />}</noscript>
      <button type="button" className="button" disabled={busy} onClick={confirm}>
        {busy ? 'Loading...' : "Confirm it's you"}
      </button>
    </>
  );
}
