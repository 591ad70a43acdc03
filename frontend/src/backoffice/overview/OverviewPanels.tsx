/** The day at a glance: joins and leaves, money by the hour, and what does not work. Read again every minute. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from '../../api/query-client';
import { count, money } from '../finance/figures';
import { time } from '../format';
import { paths } from '../paths';
import { Failure, Loading } from '../ui/States';
import { words } from '../words';
import { overviewQuery } from './api';
import { troubles } from './troubles';
import type { DayMoney, Hour, Money, Operations, Service, Subscribers } from './types';
import './overview.css';

const texts = words.overview;

/** `07:00`. */
const hourName = (hour: number): string => texts.hour({ hour: String(hour).padStart(2, '0') });

export function OverviewPanels({ finance }: { finance: boolean }) {
  const { data, error, refetch } = useQuery(overviewQuery);
  if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading />;
  const { subscribers, money: sums, operations } = data;
  return (
    <>
      {operations && <OperationsPanel operations={operations} finance={finance} />}
      {subscribers && <Today subscribers={subscribers} money={sums} />}
      {sums && <Hours hours={sums.hours} />}
      {subscribers && <Services services={subscribers.services} />}
    </>
  );
}

function OperationsPanel({ operations, finance }: { operations: Operations; finance: boolean }) {
  const found = troubles(operations);
  return (
    <section className="panel">
      <h2>{texts.operations}</h2>
      {found.length === 0 ? (
        <p className="well">{texts.allWell}</p>
      ) : (
        <ul className="troubles">
          {found.map(({ id, text, remedy, differences }) => (
            <li key={id}>
              <p className="strong">{text}</p>
              <p className="muted small">
                {differences && finance ? <Link to={paths.differences}>{remedy}</Link> : remedy}
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

const WIDTH = 10;
const HEIGHT = 60;

/** Bars, and the same as a table for who does not see them. */
function Hours({ hours }: { hours: Hour[] }) {
  const most = Math.max(1, ...hours.map(({ charged_cents }) => charged_cents));
  return (
    <section className="panel">
      <h2>{texts.byHour}</h2>
      {hours.length === 0 ? (
        <p className="muted">{texts.noMoney}</p>
      ) : (
        <>
          <svg
            className="hours"
            viewBox={`0 0 ${24 * WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {hours.map(({ hour, charged_cents }) => {
              const height = Math.max(1, (charged_cents / most) * HEIGHT);
              return (
                <rect key={hour} x={hour * WIDTH + 1} y={HEIGHT - height} width={WIDTH - 2} height={height}>
                  <title>{`${hourName(hour)} ${money(charged_cents)}`}</title>
                </rect>
              );
            })}
          </svg>
          <p className="hour-marks muted small" aria-hidden="true">
            {[0, 6, 12, 18].map(hour => (
              <span key={hour}>{hourName(hour)}</span>
            ))}
          </p>
          <p className="muted small">{texts.byHourHint}</p>
          <table className="sr">
            <caption>{texts.byHour}</caption>
            <thead>
              <tr>
                <Heading>{texts.hourColumn}</Heading>
                <Heading>{texts.charged}</Heading>
                <Heading>{texts.givenBack}</Heading>
              </tr>
            </thead>
            <tbody>
              {hours.map(({ hour, charged_cents, given_back_cents }) => (
                <tr key={hour}>
                  <th scope="row">{hourName(hour)}</th>
                  <td>{money(charged_cents)}</td>
                  <td>{money(given_back_cents)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

const Heading = ({ children }: { children: ReactNode }) => <th scope="col">{children}</th>;

const STATES = ['active', 'suspended', 'pending'] as const;

/** A table also on phones: five brands as cards would fill three screens. */
function Services({ services }: { services: Service[] }) {
  return (
    <section className="panel">
      <h2>{texts.subscriptions}</h2>
      {services.length === 0 ? (
        <p className="muted">{texts.notCountedYet}</p>
      ) : (
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
      )}
    </section>
  );
}
