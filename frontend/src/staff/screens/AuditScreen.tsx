/** The audit log: newest first, a hundred at a time, filtered by the server; export and check of the chain. */

import { useState } from 'react';
import type { AuditEntry } from '../../shared/contract/staff';
import { useInfiniteQuery, useMutation, useQuery } from '../../shared/http/queries';
import { AUDIT_EXPORT, auditQuery, checkAudit, staffQuery } from '../api';
import { dateTime } from '../format';
import { Button } from '../ui/Button';
import { Choice, type Option } from '../ui/Choice';
import { type Column, DataTable } from '../ui/DataTable';
import { useDebounced } from '../ui/debounced';
import { notifyFailure } from '../ui/failure';
import { Screen } from '../ui/Screen';
import { Empty, Loaded, More } from '../ui/States';
import { words } from '../words';

const texts = words.audit;

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(textOf).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** The facts of an entry in one line. */
const factsOf = ({ details }: AuditEntry): string =>
  details !== null && typeof details === 'object'
    ? Object.entries(details)
        .map(([name, value]) => `${name}: ${textOf(value)}`)
        .join('; ')
    : String(details ?? '');

const COLUMNS: Column<AuditEntry>[] = [
  {
    id: 'at',
    header: texts.at,
    cell: ({ id, at }) => (
      <span className="nowrap" title={texts.entry({ id })}>
        {dateTime(at)}
      </span>
    ),
  },
  { id: 'staff', header: texts.staff, kind: 'wide', cell: ({ staff }) => staff || texts.system },
  { id: 'action', header: texts.action, cell: ({ action }) => <code>{action}</code> },
  { id: 'subject', header: texts.subject, kind: 'wide', cell: ({ subject }) => subject },
  {
    id: 'details',
    header: texts.details,
    kind: 'wide',
    cell: entry => (
      <details className="facts">
        <summary data-item>{factsOf(entry) || texts.entry({ id: entry.id })}</summary>
        <pre>{JSON.stringify(entry.details, null, 2)}</pre>
        <p className="small muted">
          {texts.entryHash({ id: entry.id })} <code className="hash">{entry.hash}</code>
        </p>
      </details>
    ),
  },
];

export function AuditScreen() {
  const [staff, setStaff] = useState('');
  const [action, setAction] = useState('');
  const people = useQuery(staffQuery);
  const audit = useInfiniteQuery(auditQuery({ staff, action: useDebounced(action.trim()) }));
  const check = useMutation({
    mutationFn: checkAudit,
    onError: notifyFailure,
  });
  return (
    <Screen
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <Button disabled={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? texts.checking : texts.check}
          </Button>
          <a className="button" href={AUDIT_EXPORT} download>
            {texts.export}
          </a>
        </>
      }
    >
      {check.data && (
        <p className={check.data.intact ? 'notice good' : 'notice bad'} role="status">
          {check.data.intact
            ? texts.intact({ entries: check.data.entries })
            : texts.broken({ at: check.data.broken_at ?? 0 })}
        </p>
      )}
      <div className="filters">
        <Choice
          label={texts.filterStaff}
          value={staff}
          options={[
            ['', texts.anyone],
            ...(people.data ?? []).map(({ id, name }): Option => [String(id), name]),
          ]}
          onChange={setStaff}
        />
        <label className="inline grow">
          {texts.filterAction}
          <input
            type="search"
            value={action}
            placeholder={texts.filterActionHint}
            onChange={event => setAction(event.target.value)}
          />
        </label>
      </div>
      <Loaded query={audit}>
        {({ pages }) => {
          const entries = pages.flatMap(page => page.entries);
          return entries.length > 0 ? (
            <>
              <DataTable
                label={texts.title}
                columns={COLUMNS}
                rows={entries}
                keyOf={({ id }) => String(id)}
              />
              <More list={audit}>{texts.older}</More>
            </>
          ) : (
            <Empty title={staff || action ? texts.filtered : texts.empty} />
          );
        }}
      </Loaded>
    </Screen>
  );
}
