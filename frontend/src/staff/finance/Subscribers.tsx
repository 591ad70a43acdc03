/** The subscribers of a month day by day, and the month beside the month before. */

import { useMemo, useState } from 'react';
import type { Book, SubscriberDay } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { Chart } from '../ui/Chart';
import { Choice, type Option } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { Loaded, together } from '../ui/States';
import { words } from '../words';
import type { BookFilter } from './api';
import { bookQuery, subscribersQuery } from './api';
import { count, money, monthBefore, monthName } from './figures';
import {
  type Comparison,
  compareMonths,
  type MonthSums,
  SUBSCRIBER_PLOTS,
  type SubscriberPlot,
  subscriberPlotOf,
} from './subscribers';

const texts = words.finance.subscribers;
const { books } = words.finance;

export function Subscribers({ book, filter }: { book: Book; filter: BookFilter }) {
  const days = useQuery(subscribersQuery(filter));
  return <Loaded query={days}>{data => <SubscriberChart book={book} days={data} />}</Loaded>;
}

function SubscriberChart({ book, days }: { book: Book; days: SubscriberDay[] }) {
  const [plot, setPlot] = useState<SubscriberPlot>('moves');
  const drawing = useMemo(() => subscriberPlotOf(book, days, plot), [book, days, plot]);
  return (
    <section className="panel">
      <header className="plot-head">
        <h2>{texts.title}</h2>
        <Choice
          label={texts.plotOf}
          value={plot}
          options={SUBSCRIBER_PLOTS.map((each): Option<SubscriberPlot> => [each, texts.plots[each]])}
          onChange={setPlot}
        />
      </header>
      <Chart key={plot} title={texts.plots[plot]} of={books.day} {...drawing} format={count} short={count} />
      {drawing.level && <p className="muted small">{texts.hint}</p>}
    </section>
  );
}

/** Nothing where there is no earlier month. */
export function MonthBeside({ book, filter, months }: { book: Book; filter: BookFilter; months: string[] }) {
  const before = { ...filter, month: monthBefore(filter.month) };
  if (!months.includes(before.month)) return null;
  return <BesideBefore book={book} filter={filter} before={before} />;
}

type BesideProps = { book: Book; filter: BookFilter; before: BookFilter };

function BesideBefore({ book, filter, before }: BesideProps) {
  const read = together(
    useQuery(subscribersQuery(filter)),
    useQuery(bookQuery(before)),
    useQuery(subscribersQuery(before)),
  );
  const title = texts.beside({ month: monthName(before.month) });
  return (
    <section className="panel">
      <h2>{title}</h2>
      <Loaded query={read}>
        {([days, { lines }, daysBefore]) => (
          <>
            <div className="scroll">
              <DataTable
                label={title}
                columns={COLUMNS}
                rows={compareMonths({ lines: book.lines, days }, { lines, days: daysBefore })}
                keyOf={({ key }) => key}
              />
            </div>
            <p className="muted small">
              {book.state === 'running' ? texts.besideRunning : texts.besideHint} {texts.correctionsHint}
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

const counted = (subscriptions: number | null): string =>
  subscriptions === null ? texts.unknown : count(subscriptions);

const column = (
  id: keyof MonthSums,
  header: string,
  format: (value: number | null) => string,
): Column<Comparison> => ({
  id,
  header,
  kind: 'sum',
  cell: ({ now, before }) => (
    <div>
      {format(now[id])}
      <span className="muted small block">{texts.before({ figure: format(before[id]) })}</span>
    </div>
  ),
});

const amount = (cents: number | null): string => money(cents ?? 0);

const COLUMNS: Column<Comparison>[] = [
  {
    id: 'brand',
    header: books.brand,
    cell: ({ group }) =>
      group ? (
        <div>
          <span className="strong">{group.service}</span>
          <span className="muted small block nowrap">
            {group.network} · {money(group.price_cents)}
          </span>
        </div>
      ) : (
        <span className="strong">{texts.all}</span>
      ),
  },
  column('charged', books.charged, amount),
  column('failed', books.failed, amount),
  column('given_back', books.givenBack, amount),
  column('net', books.net, amount),
  column('running', texts.atEnd, counted),
];
