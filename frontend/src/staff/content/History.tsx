/** What happened to a record, newest first, with what each change changed; a change can be undone. */

import { type ReactNode, useState } from 'react';
import type {
  CatalogueEvent,
  CatalogueField,
  CatalogueKind,
  CatalogueRecord,
} from '../../shared/contract/staff';
import { useMutation } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { dateTime } from '../format';
import { Button } from '../ui/Button';
import { Choice, type Option } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { notifyFailure } from '../ui/failure';
import { wordFor } from '../words';
import { readAgain, undoChange } from './api';
import { type Difference, differences, iso } from './fields';
import { Thumbnail } from './RecordMedia';
import type { Fields, Place } from './types';
import { words } from './words';

const texts = words.record;
/** The name that the services give to machines. */
const MACHINE = 'admin-token';

type Props = {
  kind: CatalogueKind;
  place: Place;
  slug: string;
  events: CatalogueEvent[];
  live: CatalogueRecord | null;
  /** Not while there is a draft. */
  canUndo: boolean;
  /** For how many months changes are kept, where older ones are missing; else 0. */
  cutMonths: number;
};

type Row = CatalogueEvent & { key: number; changes: Difference[] };

export function History({ kind, place, slug, events, live, canUndo, cutMonths }: Props) {
  const undo = useMutation({
    mutationFn: (change: number) => undoChange(place, slug, change),
    onSuccess: () => {
      void notify(texts.undone, 'done');
      void readAgain();
      window.scrollTo(0, 0);
    },
    onError: notifyFailure,
  });
  if (!live) return null;
  const columns: Column<Row>[] = [
    {
      id: 'at',
      header: texts.at,
      cell: ({ at }) => <span className="nowrap">{dateTime(iso(at))}</span>,
    },
    { id: 'by', header: texts.by, kind: 'wide', cell: ({ who }) => (who === MACHINE ? texts.machine : who) },
    { id: 'action', header: texts.action, cell: ({ action }) => wordFor(texts.actions, action) },
    {
      id: 'details',
      header: texts.details,
      kind: 'wide',
      cell: ({ reason, changes, at }) =>
        changes.length > 0 ? (
          <details className="facts">
            <summary data-item>{changes.map(({ field }) => words.fieldName(field.name)).join(', ')}</summary>
            <DifferenceTable
              label={`${texts.details}, ${dateTime(iso(at))}`}
              before={texts.before}
              after={texts.after}
              rows={changes}
            />
          </details>
        ) : (
          reason
        ),
    },
    {
      id: 'actions',
      header: '',
      kind: 'actions',
      cell: ({ before, change, at }) =>
        canUndo && before && change !== null ? (
          <Button
            disabled={undo.isPending}
            aria-label={texts.undoOf({ at: dateTime(iso(at)) })}
            onClick={() => undo.mutate(change)}
          >
            {texts.undo}
          </Button>
        ) : null,
    },
  ];
  return (
    <section className="stack">
      <h2>{texts.history}</h2>
      {events.length > 0 ? (
        <DataTable
          label={texts.history}
          columns={columns}
          rows={withChanges(kind, events, live.record)}
          keyOf={({ key }) => String(key)}
        />
      ) : (
        <p className="muted">{texts.noHistory}</p>
      )}
      <Versions kind={kind} events={events} live={live.record} />
      {cutMonths > 0 && <p className="muted">{texts.historyCut({ months: cutMonths })}</p>}
    </section>
  );
}

type VersionsProps = { kind: CatalogueKind; events: CatalogueEvent[]; live: Fields };

/** What differs between any two versions of a record: the one that is live, and those before its changes. */
function Versions({ kind, events, live }: VersionsProps) {
  const versions = [
    { name: texts.now, record: live },
    ...events.flatMap(({ at, before }) =>
      before ? [{ name: texts.versionBefore({ at: dateTime(iso(at)) }), record: before }] : [],
    ),
  ];
  const [older, setOlder] = useState(String(versions.length - 1));
  const [newer, setNewer] = useState('0');
  const [from, to] = [versions[Number(older)], versions[Number(newer)]];
  // With two versions, the only change is in the history.
  if (versions.length < 3 || !from || !to) return null;
  const options = versions.map(({ name }, at): Option => [String(at), name]);
  const rows = differences(kind, from.record, to.record);
  return (
    <details className="facts">
      <summary>{texts.compare}</summary>
      <div className="filters">
        <Choice label={texts.compareFrom} value={older} options={options} onChange={setOlder} />
        <Choice label={texts.compareTo} value={newer} options={options} onChange={setNewer} />
      </div>
      {rows.length > 0 ? (
        <DifferenceTable label={texts.compare} before={from.name} after={to.name} rows={rows} />
      ) : (
        <p className="muted">{texts.noDifference}</p>
      )}
    </details>
  );
}

/** Each event with what it changed: from the version before it to the one before the next change, or the one that is live. */
function withChanges(kind: CatalogueKind, events: CatalogueEvent[], live: Fields): Row[] {
  let after = live;
  return events.map((event, key) => {
    const changes = event.before ? differences(kind, event.before, after) : [];
    after = event.before ?? after;
    return { ...event, key, changes };
  });
}

type TableProps = { label: string; before: string; after: string; rows: Difference[] };

export function DifferenceTable({ label, before, after, rows }: TableProps) {
  const columns: Column<Difference>[] = [
    { id: 'field', header: texts.field, cell: ({ field }) => words.fieldName(field.name) },
    { id: 'before', header: before, kind: 'wide', cell: row => <del>{readable(row.field, row.before)}</del> },
    { id: 'after', header: after, kind: 'wide', cell: row => <ins>{readable(row.field, row.after)}</ins> },
  ];
  return <DataTable label={label} columns={columns} rows={rows} keyOf={({ field }) => field.name} />;
}

/** A value as people read it; a picture is seen, too. */
export function readable({ form }: CatalogueField, text: string): ReactNode {
  if (text === '') return '–';
  if (form === 'Image')
    return (
      <span className="pictured">
        <Thumbnail address={text} />
        <span>{text}</span>
      </span>
    );
  if (form === 'DateTime') return dateTime(iso(text));
  return form === 'State' ? ((texts.stateOptions as Record<string, string>)[text] ?? text) : text;
}
