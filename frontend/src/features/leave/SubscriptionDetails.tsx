/** The details of a subscription, and the notice after it has ended. */
import { Link } from 'react-router';
import { brand, rand } from '../../brand';
import { plainDate } from '../../clock';
import { paths } from '../../paths';
import type { Session } from '../../session';
import { PriceLine } from '../../ui/PriceLine';

type Row = [name: string, value: string];

export const subscriptionDetails = (session: Session): Row[] => [
  ['Service', brand().name],
  ['Number', session.msisdn],
  ['Status', session.state],
  ['Price', `${rand(session.price_cents)} per day`],
  ['Since', session.since ? plainDate(session.since) : ''],
  ['Charged in total', rand(session.total_cents)],
  ['Next charge', session.next_charge ? plainDate(session.next_charge) : 'none'],
  ['Helpline', session.helpline],
];

/** The details that need no session. */
export const publicDetails = (): Row[] => [
  ['Service', brand().name],
  ['Price', `${rand(brand().price_cents)} per day`],
  ['Helpline', brand().helpline],
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
      <h2>You have left {brand().name}</h2>
      <p>You will not be charged again. Changed your mind? You are welcome back any time.</p>
      <Link className="button" to={paths.join()}>
        Join again
      </Link>
      <PriceLine />
    </section>
  );
}
