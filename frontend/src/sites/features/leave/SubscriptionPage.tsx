/** The price of the subscription and how to end it: in one tap with a session, by number without one. */
import { notify } from '../../../shared/ui/notify';
import { send } from '../../api/client';
import { isBroken, messageOf } from '../../api/problem';
import { queryClient, useMutation } from '../../api/query-client';
import { type Brand, brand } from '../../brand';
import { useHydrated } from '../../hydration';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { forms } from '../../paths';
import { serverInput } from '../../server-input';
import { isOpen, ME, sessionChanged, useSession } from '../../session';
import { Frame } from '../../ui/Frame';
import { useOnline } from '../../ui/OfflineBar';
import { useVisitor } from '../../visitor';
import { DataUse } from './DataUse';
import { Marked } from './Marked';
import { NETWORK_CODES } from './network-codes';
import { DetailsList, publicDetails, subscriptionDetails, UnsubscribedNotice } from './SubscriptionDetails';
import { TasteChoice } from './TasteChoice';
import './leave.css';

type Ways = Brand['stops'];

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
        {hydrated && <TasteChoice />}
      </div>
    </Frame>
  );
}

function Leave() {
  const session = useSession();
  const input = serverInput();
  const { msisdn } = useVisitor();
  const known = useHydrated(() => msisdn, '');
  const { problem, typed } = input?.form ?? {};
  // A session that is not known yet may leave in one tap, too.
  const byNumber = typed || session === null || session === 'unreachable' || session?.state === 'cancelled';

  const offline = useOfflineAdvice(session);

  const leaving = useMutation({
    mutationFn: (number: string) =>
      send('POST /api/subscribe/unsubscribe', {
        svc_id: brand().svc_id,
        ...(byNumber && { msisdn: number }),
      }),
    onSuccess: answer => {
      // The page says already that the subscription is over.
      if (!('redirectUrl' in answer)) return void sessionChanged('closed');
      queryClient().removeQueries({ queryKey: [ME] });
      window.location.assign(answer.redirectUrl);
    },
    // The ways below work now, whatever the server is busy with.
    onError: error =>
      notify(offline || (isBroken(error) ? t('leave-failed') : messageOf(error, t('leave-unknown')))),
  });
  const { data: answer } = leaving;
  if (input?.left || (answer && !('redirectUrl' in answer))) return <UnsubscribedNotice />;
  // Until the network's page is there.
  const busy = leaving.isPending || leaving.isSuccess;
  return (
    <section className="panel">
      {offline && (
        <p className="join-problem" role="alert">
          {offline}
        </p>
      )}
      <DetailsList rows={isOpen(session) && !byNumber ? subscriptionDetails(session) : publicDetails()} />
      {problem && (
        <p className="join-problem" role="alert">
          {problem}
        </p>
      )}
      <form
        method="post"
        action={forms.leave}
        onSubmit={event => {
          event.preventDefault();
          leaving.mutate(String(new FormData(event.currentTarget).get('msisdn')));
        }}
      >
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

/** Without a connection an SMS still leaves. Empty with one. */
function useOfflineAdvice(session: ReturnType<typeof useSession>): string {
  const online = useOnline();
  if (online) return '';
  const ways: Ways = isOpen(session) ? [[null, session.stop_number, session.ussd]] : brand().stops;
  const numbers = ways
    .filter(([, number], place) => number && ways.findIndex(each => each[1] === number) === place)
    .map(([network, number]) => (network ? `${number} (${network})` : number));
  return numbers.length > 0 ? t('leave-offline', { number: numbers.join(', ') }) : t('load-offline');
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
