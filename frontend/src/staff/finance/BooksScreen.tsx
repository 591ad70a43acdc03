/** The book of a month: totals, shares, and the lines by brand or by day. */

import { useId, useMemo, useState } from 'react';
import type { Book, Figures, Line, MonthList } from '../../shared/contract/staff';
import { useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { dateTime, shortMoney } from '../format';
import { Button } from '../ui/Button';
import { Chart } from '../ui/Chart';
import { Choice, type Option } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { notifyFailure } from '../ui/failure';
import { useFilter } from '../ui/filter';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { bookQuery, exportAddress, monthsQuery, recount } from './api';
import { CloseMonth } from './CloseMonth';
import { Drifts } from './Drifts';
import {
  byDay,
  count,
  type Day,
  dayName,
  money,
  monthName,
  monthToShow,
  PLOTS,
  type Plot,
  plotOf,
} from './figures';
import { MonthBeside, Subscribers } from './Subscribers';

const texts = words.finance.books;

export function BooksScreen() {
  const months = useQuery(monthsQuery);
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={months}>{data => <Month list={data} />}</Loaded>
    </Screen>
  );
}

/** The month of the address; without one, that which waits to be closed. */
function useBookFilter(list: MonthList) {
  const { get, set } = useFilter();
  const month = list.months.some(each => each.month === get('month'))
    ? get('month')
    : monthToShow(list.months);
  return { filter: { month, svc_id: get('svc_id'), network: get('network') }, set };
}

function Month({ list }: { list: MonthList }) {
  const { filter, set } = useBookFilter(list);
  const book = useQuery(bookQuery(filter));
  const counting = useMutation({
    mutationFn: () => recount(filter),
    onSuccess: () => notify(texts.recounted, 'done'),
    onError: notifyFailure,
  });
  const services = new Map(list.brands.map(({ svc_id, service }) => [svc_id, service]));
  const networks = [...new Set(list.brands.map(({ network }) => network))].sort();
  return (
    <>
      <div className="filters">
        <Choice
          label={texts.month}
          value={filter.month}
          options={list.months.map(
            ({ month, state }): Option => [month, `${monthName(month)} · ${words.finance.months[state]}`],
          )}
          onChange={month => set({ month })}
        />
        <Choice
          label={texts.brand}
          value={filter.svc_id}
          options={[
            ['', texts.allBrands],
            ...[...services].map(([id, service]): Option => [String(id), service]),
          ]}
          onChange={svc_id => set({ svc_id })}
        />
        <Choice
          label={texts.network}
          value={filter.network}
          options={[['', texts.allNetworks], ...networks.map((network): Option => [network, network])]}
          onChange={network => set({ network })}
        />
      </div>
      <Loaded query={book}>
        {data => (
          <>
            <div className="book-head">
              <State book={data} />
              <div className="actions">
                <Button disabled={counting.isPending} onClick={() => counting.mutate()}>
                  {counting.isPending ? texts.recounting : texts.recount}
                </Button>
                <a className="button" href={exportAddress(filter, 'book.csv')} download>
                  {texts.csv}
                </a>
                <a className="button" href={exportAddress(filter, 'statement.html')} download>
                  {texts.statement}
                </a>
                {data.state === 'over' && <CloseMonth book={data} />}
              </div>
            </div>
            <Drifts drifts={data.drifts} />
            <BookTables book={data} />
            <Subscribers book={data} filter={filter} />
            <MonthBeside book={data} filter={filter} months={list.months.map(({ month }) => month)} />
          </>
        )}
      </Loaded>
    </>
  );
}

function State({ book: { month, state, closed } }: { book: Book }) {
  return (
    <div className="book-state">
      <h2>
        {monthName(month)}{' '}
        <span className={state === 'closed' ? 'badge good' : state === 'over' ? 'badge warm' : 'badge'}>
          {words.finance.months[state]}
        </span>
      </h2>
      {closed && (
        <p className="muted small">
          {texts.closedBy({ by: closed.by, at: dateTime(closed.at) })} {texts.hash}{' '}
          <code className="hash">{closed.hash}</code>
        </p>
      )}
      {closed && !closed.intact && (
        <p className="notice bad" role="alert">
          {texts.altered}
        </p>
      )}
    </div>
  );
}

function BookTables({ book }: { book: Book }) {
  const [shown, setShown] = useState<'brand' | 'day'>('brand');
  const group = useId();
  if (book.days.length === 0) return <Empty title={texts.empty} />;
  return (
    <>
      <Totals total={book.total} />
      <DayPlot book={book} />
      <fieldset className="segments" aria-label={texts.show}>
        {(['brand', 'day'] as const).map(each => (
          <label key={each}>
            <input type="radio" name={group} checked={shown === each} onChange={() => setShown(each)} />
            <span>{each === 'brand' ? texts.byBrand : texts.byDay}</span>
          </label>
        ))}
      </fieldset>
      {shown === 'brand' ? (
        <div className="scroll">
          <DataTable label={texts.byBrand} columns={BRANDS} rows={book.lines} keyOf={keyOf} />
        </div>
      ) : (
        <div className="scroll">
          <DataTable
            label={texts.byDay}
            columns={DAYS}
            rows={byDay(book.days)}
            keyOf={({ day, correction }) => `${day} ${correction}`}
          />
        </div>
      )}
      <p className="muted small">{texts.rounding}</p>
    </>
  );
}

function DayPlot({ book }: { book: Book }) {
  const [plot, setPlot] = useState<Plot>('charged');
  const drawing = useMemo(() => plotOf(book, plot), [book, plot]);
  return (
    <section className="panel">
      <header className="plot-head">
        <h2>{texts.plot}</h2>
        <Choice
          label={texts.plotOf}
          value={plot}
          options={PLOTS.map((each): Option<Plot> => [each, texts.plots[each]])}
          onChange={setPlot}
        />
      </header>
      <Chart
        key={plot}
        title={texts.plots[plot]}
        of={texts.day}
        {...drawing}
        format={money}
        short={shortMoney}
      />
      {book.days.some(({ correction_of }) => correction_of !== null) && (
        <p className="muted small">{texts.plotHint}</p>
      )}
    </section>
  );
}

function Totals({ total }: { total: Figures }) {
  const { charged, failed, given_back, open } = total;
  return (
    <div className="totals">
      <dl className="panel figures">
        <Figure name={texts.income} cents={total.income_cents} hint={texts.incomeHint} strong />
        <Figure name={texts.charged} cents={charged.cents} hint={texts.count({ entries: charged.entries })} />
        <Figure
          name={texts.givenBack}
          cents={given_back.cents}
          hint={texts.refunds({ entries: given_back.entries })}
        />
        <Figure name={texts.failed} cents={failed.cents} hint={texts.count({ entries: failed.entries })} />
        {open.entries > 0 && (
          <Figure name={texts.open} cents={open.cents} hint={texts.count({ entries: open.entries })} />
        )}
        <Figure name={texts.vat} cents={total.vat_cents} />
        <Figure name={texts.net} cents={total.net_cents} strong />
      </dl>
      <section className="panel shares">
        <h2>{texts.shares}</h2>
        <dl>
          {[...total.shares, { party: texts.own, cents: total.own_cents }].map(({ party, cents }) => (
            <div key={party}>
              <dt>{party}</dt>
              <dd>{money(cents)}</dd>
            </div>
          ))}
        </dl>
        <p className="muted small">{texts.sharesHint}</p>
      </section>
    </div>
  );
}

type FigureProps = { name: string; cents: number; hint?: string; strong?: boolean };

function Figure({ name, cents, hint, strong = false }: FigureProps) {
  return (
    <div className={strong ? 'figure main' : 'figure'}>
      <dt className="muted small">{name}</dt>
      <dd className="figure-amount">{money(cents)}</dd>
      {hint && <dd className="muted small">{hint}</dd>}
    </div>
  );
}

const keyOf = ({ correction_of, svc_id, network, price_cents }: Line): string =>
  [correction_of ?? '', svc_id, network, price_cents].join(' ');

/** An amount with how many charges it is of. */
const counted = ({ entries, cents }: Figures['charged']) => (
  <div>
    {money(cents)}
    <span className="muted small block">{count(entries)}</span>
  </div>
);

/** The columns that both tables end with. */
function moneyColumns<Row>(of: (row: Row) => Figures): Column<Row>[] {
  const column = (id: string, header: string, cents: (figures: Figures) => number): Column<Row> => ({
    id,
    header,
    kind: 'sum',
    cell: row => money(cents(of(row))),
    sort: row => cents(of(row)),
  });
  const sum = (id: 'charged' | 'failed' | 'given_back', header: string): Column<Row> => ({
    id,
    header,
    kind: 'sum',
    cell: row => counted(of(row)[id]),
    sort: row => of(row)[id].cents,
  });
  return [
    sum('charged', texts.charged),
    sum('failed', texts.failed),
    sum('given_back', texts.givenBack),
    column('income', texts.income, figures => figures.income_cents),
    column('vat', texts.vat, figures => figures.vat_cents),
    column('net', texts.net, figures => figures.net_cents),
  ];
}

const BRANDS: Column<Line>[] = [
  {
    id: 'brand',
    header: texts.brand,
    cell: ({ service, network, correction_of }) => (
      <div>
        <span className="strong">{service}</span>
        <span className="muted small block nowrap">{network}</span>
        {correction_of && (
          <span className="muted small block">{texts.correction({ month: monthName(correction_of) })}</span>
        )}
      </div>
    ),
    sort: ({ service }) => service,
  },
  {
    id: 'price',
    header: texts.price,
    kind: 'sum',
    cell: ({ price_cents }) => money(price_cents),
    sort: ({ price_cents }) => price_cents,
  },
  ...moneyColumns<Line>(line => line),
];

const DAYS: Column<Day>[] = [
  {
    id: 'day',
    header: texts.day,
    cell: ({ day, correction }) => (
      <div className="day">
        <span className="nowrap">{dayName(day)}</span>
        {correction && <span className="badge warm">{texts.corrections}</span>}
      </div>
    ),
    sort: ({ day }) => day,
  },
  ...moneyColumns<Day>(({ figures }) => figures),
];
