/** The price of the subscription and how to end it: in one tap with a session, by number without one. */

import { type FormEvent, useState } from 'react';
import { send } from '../../api/client';
import { messageOf } from '../../api/problem';
import { queryClient } from '../../api/query-client';
import { brand } from '../../brand';
import { useHydrated } from '../../hydration';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { forms } from '../../paths';
import { serverInput } from '../../server-input';
import { isOpen, ME, sessionChanged, useSession } from '../../session';
import { Frame } from '../../ui/Frame';
import { notify } from '../../ui/notify';
import { useVisitor } from '../../visitor';
import { DataUse } from './DataUse';
import { Marked } from './Marked';
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

export const page: PageOf = () => ({ name: 'subscription', own: [{ queryKey: [ME] }] });

export default function SubscriptionPage() {
  const hydrated = useHydrated(() => true, false);
  return (
    <Frame title={t('your-subscription')}>
      <div className="leave">
        <h1>{t('your-subscription')}</h1>
        <Leave />
        <OtherWays />
        {hydrated && <DataUse />}
      </div>
    </Frame>
  );
}

function Leave() {
  const session = useSession();
  const input = serverInput();
  const [left, setLeft] = useState(input?.left ?? false);
  const [busy, setBusy] = useState(false);
  const { msisdn } = useVisitor();
  const known = useHydrated(() => msisdn, '');
  if (left) return <UnsubscribedNotice />;
  const { problem, typed } = input?.form ?? {};
  // A session that is not known yet may leave in one tap, too.
  const byNumber = typed || session === null || session === 'unreachable' || session?.state === 'cancelled';

  const leave = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const number = new FormData(event.currentTarget).get('msisdn');
    const request = { svc_id: brand().svc_id, ...(byNumber && { msisdn: String(number) }) };
    setBusy(true);
    try {
      const answer = await send('POST /api/subscribe/unsubscribe', request);
      if ('redirectUrl' in answer) {
        queryClient().removeQueries({ queryKey: [ME] });
        window.location.assign(answer.redirectUrl);
        return;
      }
      setLeft(true);
      await sessionChanged('closed');
    } catch (error) {
      notify(messageOf(error, t(byNumber ? 'leave-unknown' : 'leave-failed')));
      setBusy(false);
    }
  };
  return (
    <section className="panel">
      <DetailsList rows={isOpen(session) && !byNumber ? subscriptionDetails(session) : publicDetails()} />
      {problem && (
        <p className="join-problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={forms.leave} onSubmit={leave}>
        {byNumber && (
          <>
            <label className="field-label" htmlFor="leave-msisdn">
              {t('number-to-unsubscribe')}
            </label>
            <input
              id="leave-msisdn"
              className="field"
              name="msisdn"
              type="text"
              inputMode="tel"
              autoComplete="tel"
              placeholder={t('number-example')}
              required
              defaultValue={typed || known}
            />
          </>
        )}
        <button type="submit" className="button button-large" disabled={busy}>
          {t(busy ? 'loading-button' : byNumber ? 'unsubscribe' : 'unsubscribe-now')}
        </button>
        <p className="leave-note">{t(byNumber ? 'network-asks' : 'ends-at-once')}</p>
      </form>
    </section>
  );
}

function OtherWays() {
  const { name, helpline, support_email, stops } = brand();
  const session = useSession();
  // A subscriber needs those of the own network only.
  const ways = isOpen(session) ? [[null, session.stop_number, session.ussd] as const] : stops;
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
