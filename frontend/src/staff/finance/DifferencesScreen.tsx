/** The days that do not agree with a network's list: compare again, and accept. */

import { useState } from 'react';
import type { ComparedDay, DayComparison, DayDifference } from '../../shared/contract/staff';
import { useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { useStaff } from '../staff';
import { Button } from '../ui/Button';
import { type Column, DataTable } from '../ui/DataTable';
import { Dialog } from '../ui/Dialog';
import { notifyFailure } from '../ui/failure';
import { ReasonDialog } from '../ui/ReasonDialog';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { wordFor, words } from '../words';
import { assignDay, assignmentsQuery, compareDay, differencesQuery, readAgain } from './api';
import { dayName, count as formatted, money } from './figures';

const texts = words.finance.differences;

const BADGES = { running: '', repaired: 'good', held: 'warm', failed: 'bad' };

export function DifferencesScreen() {
  const days = useQuery(differencesQuery);
  const [all, setAll] = useState(false);
  const [accepting, setAccepting] = useState<ComparedDay>();
  const [result, setResult] = useState<DayComparison>();
  const comparing = useMutation({
    mutationFn: ({ day }: ComparedDay) => compareDay(day, false),
    onSuccess: compared => {
      setResult(compared);
      void readAgain();
    },
    onError: notifyFailure,
  });
  const me = useStaff();
  const [onlyMine, setOnlyMine] = useState(false);
  const { assignments = [], colleagues = [] } = useQuery(assignmentsQuery).data ?? {};
  const assigned = new Map(assignments.map(({ day, network, staff_id }) => [`${day} ${network}`, staff_id]));
  const assigneeOf = ({ day, network }: ComparedDay) => assigned.get(`${day} ${network}`);
  const assigning = useMutation({
    mutationFn: ({ compared, to }: { compared: ComparedDay; to: number | null }) => assignDay(compared, to),
    onSuccess: readAgain,
    onError: notifyFailure,
  });
  const columns: Column<ComparedDay>[] = [
    ...COLUMNS,
    {
      id: 'assigned',
      header: texts.assigned,
      cell: compared => (
        <select
          aria-label={texts.assignOf({ day: dayName(compared.day), network: compared.network })}
          value={assigneeOf(compared) ?? ''}
          disabled={assigning.isPending}
          onChange={({ target }) =>
            assigning.mutate({ compared, to: target.value === '' ? null : Number(target.value) })
          }
        >
          <option value="">{texts.free}</option>
          {colleagues.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      ),
    },
    {
      id: 'actions',
      header: '',
      kind: 'actions',
      cell: compared => (
        <div className="row-actions">
          <Button
            data-item
            disabled={comparing.isPending}
            aria-label={texts.compareOf({ day: dayName(compared.day), network: compared.network })}
            onClick={() => comparing.mutate(compared)}
          >
            {comparing.isPending && comparing.variables === compared ? texts.comparing : texts.compare}
          </Button>
          {compared.state === 'held' && (
            <Button
              tone="danger"
              aria-label={texts.acceptOf({ day: dayName(compared.day), network: compared.network })}
              onClick={() => setAccepting(compared)}
            >
              {texts.accept}
            </Button>
          )}
        </div>
      ),
    },
  ];
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={days}>
        {data => {
          const shown = data.filter(
            compared =>
              (all || compared.state !== 'repaired') && (!onlyMine || assigneeOf(compared) === me.id),
          );
          return (
            <>
              {data.length > 0 && (
                <label className="check">
                  <input type="checkbox" checked={all} onChange={event => setAll(event.target.checked)} />
                  {texts.all}
                </label>
              )}
              {data.length > 0 && (
                <label className="check">
                  <input
                    type="checkbox"
                    checked={onlyMine}
                    onChange={event => setOnlyMine(event.target.checked)}
                  />
                  {texts.onlyMine}
                </label>
              )}
              {shown.length > 0 ? (
                <DataTable
                  label={texts.title}
                  columns={columns}
                  rows={shown}
                  keyOf={({ day, network }) => `${day} ${network}`}
                />
              ) : (
                <Empty title={onlyMine ? texts.noneMine : data.length > 0 ? texts.none : texts.empty} />
              )}
            </>
          );
        }}
      </Loaded>
      {accepting && (
        <ReasonDialog
          title={texts.acceptTitle({ day: dayName(accepting.day) })}
          text={texts.acceptText}
          submit={texts.acceptSubmit}
          danger
          run={async reason => {
            setResult(await compareDay(accepting.day, true, reason));
            void notify(texts.accepted, 'done');
            void readAgain();
          }}
          onClose={() => setAccepting(undefined)}
        />
      )}
      {result && !accepting && <Result result={result} onClose={() => setResult(undefined)} />}
    </Screen>
  );
}

const count = (id: 'listed' | 'agreed' | 'differences', header: string): Column<ComparedDay> => ({
  id,
  header,
  kind: 'sum',
  cell: day => formatted(day[id]),
  sort: day => day[id],
});

const COLUMNS: Column<ComparedDay>[] = [
  {
    id: 'day',
    header: texts.day,
    cell: ({ day }) => <span className="nowrap">{dayName(day)}</span>,
    sort: ({ day }) => day,
  },
  {
    id: 'network',
    header: words.finance.books.network,
    cell: ({ network }) => network,
    sort: ({ network }) => network,
  },
  {
    id: 'state',
    header: texts.state,
    cell: ({ state }) => (
      <span>
        <span className={`badge ${BADGES[state]}`}>{texts.states[state]}</span>
      </span>
    ),
    sort: ({ state }) => state,
  },
  count('listed', texts.listed),
  count('agreed', texts.agreed),
  count('differences', texts.differences),
  { id: 'cause', header: texts.cause, kind: 'wide', cell: ({ cause }) => cause },
];

const FOUND: Column<DayDifference>[] = [
  {
    id: 'kind',
    header: texts.kind,
    cell: ({ kind, network }) => (
      <div>
        {wordFor(texts.kinds, kind)}
        <span className="muted small block">{network}</span>
      </div>
    ),
  },
  { id: 'repair', header: texts.repair, cell: ({ repair }) => wordFor(texts.repairs, repair) },
  { id: 'amount', header: texts.amount, kind: 'sum', cell: ({ cents }) => money(cents) },
  { id: 'number', header: texts.number, cell: ({ masked }) => <span className="mono">{masked}</span> },
];

function Result({ result, onClose }: { result: DayComparison; onClose: () => void }) {
  const { day, agreed, listed, differences, more } = result;
  return (
    <Dialog title={texts.resultTitle({ day: dayName(day) })} onClose={onClose}>
      <div className="stack comparison">
        <p>{texts.result({ agreed, listed })}</p>
        {differences.length > 0 && (
          <DataTable
            label={texts.differences}
            columns={FOUND}
            rows={differences.map((difference, at) => ({ ...difference, at }))}
            keyOf={({ at }) => String(at)}
          />
        )}
        {more > 0 && <p className="muted">{texts.more({ others: more })}</p>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{words.common.close}</Button>
        </div>
      </div>
    </Dialog>
  );
}
