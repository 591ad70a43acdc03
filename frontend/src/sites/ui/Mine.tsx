/** The layout of the visitor's own page: what was begun, what is kept, and the receipt of each day. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { isOpen, useSession } from '../session';
import { useContinueWatching } from './continue-watching';
import { Receipt } from './Receipt';
import { Shell } from './Shell';
import './mine.css';

/** `children`: the lists of the kind of brand. */
export function Mine({ nav, children }: { nav: ReactNode; children?: ReactNode }) {
  const continueWatching = useContinueWatching();
  const { name, stops } = brand();
  const session = useSession();
  const numbers = isOpen(session) ? [session.stop_number] : stops.map(([, number]) => number);
  const number = numbers.filter((each, place) => each && numbers.indexOf(each) === place).join(', ');
  return (
    <Shell title={t('mine')} nav={nav}>
      <h1 className="page-heading">{t('mine')}</h1>
      {continueWatching}
      {children}
      <Receipt number={number} />
      <section className="mine-section">
        <h2>{t('how-to-leave')}</h2>
        <p>{number ? t('leave-by-sms', { name, number }) : t('leave-by-page', { name })}</p>
        <Link className="button button-quiet" to={paths.subscription()}>
          {t('your-subscription')}
        </Link>
      </section>
    </Shell>
  );
}

export function MineSection({
  heading,
  more,
  children,
}: {
  heading: string;
  more?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mine-section mine-wide">
      <h2>{heading}</h2>
      {children}
      {more}
    </section>
  );
}
