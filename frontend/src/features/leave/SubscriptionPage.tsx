/** The price of the subscription and how to end it: in one tap with a session, by number without one. */

import { type FormEvent, useState } from 'react';
import { post } from '../../api/client';
import { messageOf } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import type { LeaveAnswer, LeaveReply, LeaveRequest, Me } from '../../api/types';
import { brand } from '../../brand';
import { t } from '../../messages';
import { ownReply } from '../../server-input';
import { isOpen, type Session, sessionChanged, useSession } from '../../session';
import { Frame } from '../../ui/Frame';
import { notify } from '../../ui/notify';
import { useVisitor } from '../../visitor';
import { DataUse } from './DataUse';
import { Marked } from './Marked';
import { NoScriptLeave } from './NoScriptLeave';
import { DetailsList, publicDetails, subscriptionDetails, UnsubscribedNotice } from './SubscriptionDetails';
import './leave.css';

/**
 * The networks' own codes to end a content service; they do not depend on this site. Sources: mybroadband.co.za, 604137, August 2025; Telkom has a call
 * centre instead of a code: parentscorner.org.za, "WASP subscription management options".
 */
const NETWORK_CODES = [
  ['Vodacom', '*135#'],
  ['MTN', '*141*5#'],
  ['Cell C', '*133*1#'],
  ['Telkom', '081 180'],
] as const;

export default function SubscriptionPage() {
  return (
    <Frame title={t('your-subscription')}>
      <div className="leave">
        <h1>{t('your-subscription')}</h1>
        {SERVER_RENDERING ? <NoScriptLeave /> : <Leave />}
        <OtherWays />
        {!SERVER_RENDERING && <DataUse />}
      </div>
    </Frame>
  );
}

function Leave() {
  const session = useSession();
  const [left, setLeft] = useState(false);
  if (left) return <UnsubscribedNotice />;
  return (
    <section className="panel">
      {session === undefined ? (
        <div className="leave-skeleton skeleton" aria-busy="true" />
      ) : isOpen(session) && session.state !== 'cancelled' ? (
        <LeaveWithSession session={session} onLeft={() => setLeft(true)} />
      ) : (
        <LeaveByNumber onLeft={() => setLeft(true)} />
      )}
    </section>
  );
}

function LeaveWithSession({ session, onLeft }: { session: Session; onLeft: () => void }) {
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      await post<LeaveReply>('/api/subscribe/unsubscribe', { svc_id: session.svc_id } satisfies LeaveRequest);
      onLeft();
      await sessionChanged('closed');
    } catch (error) {
      notify(messageOf(error, t('leave-failed')));
      setBusy(false);
    }
  };
  return (
    <>
      <DetailsList rows={subscriptionDetails(session)} />
      <button type="button" className="button button-large" disabled={busy} onClick={leave}>
        {t(busy ? 'loading-button' : 'unsubscribe-now')}
      </button>
      <p className="leave-note">{t('ends-at-once')}</p>
    </>
  );
}

function LeaveByNumber({ onLeft }: { onLeft: () => void }) {
  const { svc_id } = brand();
  const visitor = useVisitor();
  const [msisdn, setMsisdn] = useState(visitor.msisdn);
  const [busy, setBusy] = useState(false);
  const leave = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const answer = await post<LeaveAnswer>('/api/subscribe/unsubscribe', {
        msisdn,
        svc_id,
      } satisfies LeaveRequest);
      if ('redirectUrl' in answer) {
        queryClient().removeQueries({ queryKey: ['session'] });
        window.location.assign(answer.redirectUrl);
        return;
      }
      // The phone has a session for the number, which the page did not know of: no confirmation is needed.
      onLeft();
      await sessionChanged('closed');
    } catch (error) {
      notify(messageOf(error, t('leave-unknown')));
      setBusy(false);
    }
  };
  return (
    <>
      <DetailsList rows={publicDetails()} />
      <form onSubmit={leave}>
        <label className="field-label" htmlFor="leave-msisdn">
          {t('number-to-unsubscribe')}
        </label>
        <input
          id="leave-msisdn"
          className="field"
          type="text"
          inputMode="tel"
          autoComplete="tel"
          placeholder={t('number-example')}
          required
          value={msisdn}
          onChange={({ target }) => setMsisdn(target.value)}
        />
        <button type="submit" className="button button-large" disabled={busy}>
          {t(busy ? 'loading-button' : 'unsubscribe')}
        </button>
        <p className="leave-note">{t('network-asks')}</p>
      </form>
    </>
  );
}

function OtherWays() {
  const { name, helpline, support_email, stops } = brand();
  const session = useSession();
  // A subscriber needs those of the own network only.
  const own = ownReply<Me>('/api/subscribe/me') ?? session;
  const ways = isOpen(own) ? [[null, own.stop_number, own.ussd] as const] : stops;
  return (
    <section className="panel panel-quiet">
      <h2>{t('other-ways')}</h2>
      <ul className="ways">
        <li>
          <Marked text={t('way-sms', { name })} />
        </li>
        {ways.map(([network, number, ussd]) => (
          <NetworkWays key={network} network={network} number={number} ussd={ussd} />
        ))}
        <li>
          <Marked text={t('way-dial')} />
          <ul className="codes">
            {NETWORK_CODES.map(([network, code]) => (
              <li key={network}>
                {network} <a href={`tel:${encodeURIComponent(code.replace(/\s/g, ''))}`}>{code}</a>
              </li>
            ))}
          </ul>
        </li>
        <li>
          <strong>{t('way-write')}</strong> <a href={`tel:${helpline.replace(/\s/g, '')}`}>{helpline}</a>,{' '}
          <a href={`mailto:${support_email}`}>{support_email}</a>
        </li>
      </ul>
    </section>
  );
}

/** A network's own number for a STOP, and its code. */
function NetworkWays({
  network,
  number,
  ussd,
}: {
  network: string | null;
  number: string | null;
  ussd: string | null;
}) {
  if (!number && !ussd) return null;
  return (
    <li>
      {network && <strong>{network}: </strong>}
      {number && (
        <span className="one-line">
          <Marked text={t('way-stop', { number })} />
        </span>
      )}
      {number && ussd && ', '}
      {ussd && <a href={`tel:${encodeURIComponent(ussd)}`}>{ussd}</a>}
    </li>
  );
}
