/** Where the ledger of a closed month has changed since it was closed. */
import type { Drift } from '../../shared/contract/staff';
import { type Column, DataTable } from '../ui/DataTable';
import { words } from '../words';
import { dayName, money, monthName } from './figures';

const texts = words.finance.books;

const sums = ({ charged, given_back }: Drift['now']): string =>
  texts.sum({ charged: money(charged.cents), givenBack: money(given_back.cents) });

const COLUMNS: Column<Drift>[] = [
  { id: 'day', header: texts.day, cell: ({ day }) => <span className="nowrap">{dayName(day)}</span> },
  { id: 'brand', header: texts.brand, cell: ({ service }) => service },
  { id: 'network', header: texts.network, cell: ({ network }) => network },
  { id: 'closed', header: texts.driftClosed, kind: 'wide', cell: ({ closed }) => sums(closed) },
  { id: 'now', header: texts.driftNow, kind: 'wide', cell: ({ now }) => sums(now) },
  {
    id: 'entered',
    header: texts.driftEntered,
    cell: ({ entered_in }) => (entered_in ? monthName(entered_in) : texts.driftWaits),
  },
];

export function Drifts({ drifts }: { drifts: Drift[] }) {
  if (drifts.length === 0) return null;
  return (
    <section className="drifts">
      <p className="notice" role="status">
        {texts.drift({ lines: drifts.length })}
      </p>
      <DataTable
        label={texts.driftLabel}
        columns={COLUMNS}
        rows={drifts}
        keyOf={({ day, svc_id, network, price_cents }) => [day, svc_id, network, price_cents].join(' ')}
      />
    </section>
  );
}
