/** The day at a glance: joins and leaves, money by the hour, and what does not work. Read again every minute. */

import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import type {
  DayMoney,
  Money,
  Overview,
  OverviewHour,
  OverviewService,
  Subscribers,
} from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { count, money } from '../finance/figures';
import { shortMoney, time } from '../format';
import { heldPublishersPath, paths } from '../paths';
import { Chart } from '../ui/Chart';
import type { ChartPlace } from '../ui/chart-style';
import { Loaded } from '../ui/States';
import { words } from '../words';
import { overviewQuery } from './api';
import { pauseTroubles, publisherTroubles, type Trouble, troubles } from './troubles';
import './overview.css';

const texts = words.overview;

/** `07:00`. */
const hourName = (hour: number): string => texts.hour({ hour: String(hour).padStart(2, '0') });

export function OverviewPanels({ finance }: { finance: boolean }) {
  return <Loaded query={useQuery(overviewQuery)}>{data => <Panels {...data} finance={finance} />}</Loaded>;
}

function Panels({
  subscribers,
  money: sums,
  operations,
  undecided_publishers,
  pauses,
  finance,
}: Overview & { finance: boolean }) {
  const found = [
    ...pauseTroubles(pauses ?? []),
    ...(operations ? troubles(operations) : []),
    ...publisherTroubles(undecided_publishers ?? 0),
  ];
  return (
    <>
      {(operations || found.length > 0) && (
        <OperationsPanel found={found} finance={finance} money={sums !== null} />
      )}
      {subscribers && <Today subscribers={subscribers} money={sums} />}
      {sums && <Hours hours={sums.hours} />}
      {subscribers && <Services services={subscribers.services} />}
    </>
  );
}

/** `finance` may compare days, `money` may resume charges. */
function OperationsPanel({ found, finance, money }: { found: Trouble[]; finance: boolean; money: boolean }) {
  return (
    <section className="panel">
      <h2>{texts.operations}</h2>
      {found.length === 0 ? (
        <p className="well">{texts.allWell}</p>
      ) : (
        <ul className="troubles">
          {found.map(({ id, text, remedy, differences, publishers, charges }) => (
            <li key={id}>
              <p className="strong">{text}</p>
              <p className="muted small">
                {differences && finance ? (
                  <Link to={paths.differences}>{remedy}</Link>
                ) : charges && money ? (
                  <Link to={paths.charges}>{remedy}</Link>
                ) : publishers ? (
                  <Link to={heldPublishersPath()}>{remedy}</Link>
                ) : (
                  remedy
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Today({
  subscribers: { counted_at, days },
  money: sums,
}: {
  subscribers: Subscribers;
  money: Money | null;
}) {
  const moves = (value: (day: Subscribers['days'][number]) => number) => days.map(day => count(value(day)));
  const ofMoney = (value: (day: DayMoney) => string) => sums?.days.map(value) ?? [];
  return (
    <section className="panel">
      <header className="today">
        <h2>{texts.today}</h2>
        <p className="muted small">
          {counted_at ? texts.countedAt({ time: time(counted_at) }) : texts.notCounted}
        </p>
      </header>
      <dl className="day-figures">
        <Figure name={texts.joins} days={moves(day => day.joins)} />
        <Figure name={texts.leaves} days={moves(day => day.leaves)} />
        {sums && (
          <>
            <Figure name={texts.charged} days={ofMoney(day => money(day.charged_cents))} />
            <Figure name={texts.givenBack} days={ofMoney(day => money(day.given_back_cents))} />
            <Figure name={texts.failed} days={ofMoney(day => count(day.failed))} />
            <Figure name={texts.open} days={ofMoney(day => count(day.open))} />
          </>
        )}
      </dl>
    </section>
  );
}

/** A figure of today, yesterday, and the same day of the last week. */
function Figure({ name, days: [today, yesterday = '', lastWeek = ''] }: { name: string; days: string[] }) {
  return (
    <div>
      <dt className="muted small">{name}</dt>
      <dd className="day-figure">{today}</dd>
      <dd className="muted small">{texts.yesterday({ figure: yesterday })}</dd>
      <dd className="muted small">{texts.lastWeek({ figure: lastWeek })}</dd>
    </div>
  );
}

const HOURS: ChartPlace[] = Array.from({ length: 24 }, (_, hour) => ({
  name: hourName(hour),
  mark: hourName(hour),
}));

function Hours({ hours }: { hours: OverviewHour[] }) {
  const series = useMemo(() => {
    const last = Math.max(...hours.map(({ hour }) => hour));
    const values = (of: (hour: OverviewHour) => number) =>
      HOURS.map((_, index) => {
        const found = hours.find(({ hour }) => hour === index);
        return found ? of(found) : index < last ? 0 : null;
      });
    return [
      { name: texts.charged, values: values(hour => hour.charged_cents) },
      { name: texts.givenBack, values: values(hour => hour.given_back_cents) },
    ];
  }, [hours]);
  return (
    <section className="panel">
      <h2>{texts.byHour}</h2>
      {hours.length === 0 ? (
        <p className="muted">{texts.noMoney}</p>
      ) : (
        <>
          <Chart
            title={texts.byHour}
            of={texts.hourColumn}
            places={HOURS}
            series={series}
            kind="bars"
            format={money}
            short={shortMoney}
          />
          <p className="muted small">{texts.byHourHint}</p>
        </>
      )}
    </section>
  );
}

const Heading = ({ children }: { children: ReactNode }) => <th scope="col">{children}</th>;

const STATES = ['active', 'suspended', 'pending'] as const;

/** A table also on phones: five brands as cards would fill three screens. */
function Services({ services }: { services: OverviewService[] }) {
  return (
    <section className="panel">
      <h2>{texts.subscriptions}</h2>
      {services.length === 0 ? (
        <p className="muted">{texts.notCountedYet}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where the table is wider, and keys must reach it.
        <section className="scroll" aria-label={texts.subscriptions} tabIndex={0}>
          <table className="counts">
            <thead>
              <tr>
                <Heading>{texts.service}</Heading>
                {STATES.map(state => (
                  <Heading key={state}>{texts.states[state]}</Heading>
                ))}
              </tr>
            </thead>
            <tbody>
              {services.map(service => (
                <tr key={service.svc_id}>
                  <th scope="row">{service.service}</th>
                  {STATES.map(state => (
                    <td key={state}>{count(service[state])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
