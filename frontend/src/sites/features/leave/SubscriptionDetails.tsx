/** The details of a subscription, and the notice after it has ended. */

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { brand, type Offer, partsText, rand, termsOf } from '../../brand';
import { plainDate } from '../../clock';
import { type MessageId, t } from '../../messages';
import { paths } from '../../paths';
import type { Session } from '../../session';
import { PriceLine } from '../../ui/PriceLine';

const STATES: Record<Session['state'], MessageId> = {
  active: 'state-active',
  pending: 'state-pending',
  suspended: 'state-suspended',
  cancelled: 'state-cancelled',
};

function nextCharge({ next_charge, limit_reached, free_until }: Session): string {
  if (!next_charge) return t('none');
  const date = plainDate(next_charge);
  if (limit_reached) return t('limit-reached', { date });
  return free_until ? t('free-until', { date }) : date;
}

type Row = [name: string, value: ReactNode];

const oneLine = (text: string) => <span className="one-line">{text}</span>;

const PRICE = { day: 'price-per-day', week: 'price-per-week', month: 'price-per-month' } as const;
const priceOf = ({ price_cents, period }: Offer): string => t(PRICE[period], { price: rand(price_cents) });

const withTerms = (price: string, terms: string) => (terms ? `${price}. ${terms}` : price);

export const subscriptionDetails = (session: Session): Row[] => [
  [t('row-service'), brand().name],
  [t('row-number'), session.msisdn],
  [t('row-state'), t(STATES[session.state])],
  [t('row-price'), withTerms(priceOf(session), partsText(session.parts))],
  [t('row-since'), session.since ? plainDate(session.since) : ''],
  [t('row-total'), rand(session.total_cents)],
  ...(session.owed_cents > 0 ? [[t('row-owed'), rand(session.owed_cents)] satisfies Row] : []),
  [t('row-next'), nextCharge(session)],
  [t('row-helpline'), oneLine(session.helpline)],
];

/** The details that need no session. */
export const publicDetails = (): Row[] => [
  [t('row-service'), brand().name],
  [t('row-price'), withTerms(priceOf(brand()), termsOf(brand()))],
  [t('row-helpline'), oneLine(brand().helpline)],
];

export function DetailsList({ rows }: { rows: Row[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function UnsubscribedNotice() {
  return (
    <section className="panel" role="status">
      <h2>{t('left', { name: brand().name })}</h2>
      <p>{t('left-note')}</p>
      <Link className="button" to={paths.join()}>
        {t('join-again')}
      </Link>
      <PriceLine />
    </section>
  );
}
