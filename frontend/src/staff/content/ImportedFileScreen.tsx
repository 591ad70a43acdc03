/** What an uploaded file changes, record by record, and applying exactly that. */

import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type {
  CatalogueKind,
  ImportChange,
  ImportFault,
  RecordDifference,
  UploadedImportDifference,
} from '../../shared/contract/staff';
import { isStatus, messageOf } from '../../shared/http/problem';
import { useInfiniteQuery, useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { count } from '../finance/figures';
import { dateTime } from '../format';
import { listPath, paths, recordPath } from '../paths';
import { has } from '../roles';
import { useStaff } from '../staff';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { CopyText } from '../ui/CopyText';
import { type Column, DataTable } from '../ui/DataTable';
import { Dialog } from '../ui/Dialog';
import { DialogActions } from '../ui/Form';
import { FormFault, TextField } from '../ui/fields';
import { Screen } from '../ui/Screen';
import { Empty, Loaded, More, together } from '../ui/States';
import { words as common } from '../words';
import { kindsQuery, previewFile } from './api';
import { iso } from './fields';
import { readable } from './History';
import {
  ACTIONS,
  type Action,
  applyFile,
  differenceQuery,
  discardFile,
  readListsAgain,
  recordsQuery,
} from './imports';
import { PreviewButton } from './Preview';
import { pictureOf, RecordMedia, Thumbnail } from './RecordMedia';
import { fieldsAfter, type Undo, undoOf } from './undo';
import { words } from './words';

const texts = common.files.difference;

export function ImportedFileScreen() {
  const { catalogue = '', id = '' } = useParams();
  const read = together(useQuery(differenceQuery(catalogue, id)), useQuery(kindsQuery));
  if (read.data) {
    const [difference, kinds] = read.data;
    const content = kinds.find(each => each.catalogue === catalogue)?.content;
    return <ImportedFile catalogue={catalogue} shown={difference} kinds={content?.kinds ?? []} />;
  }
  return (
    <Screen
      title={common.files.upload.title}
      actions={
        <Link className="button" to={paths.importFile}>
          {common.files.upload.title}
        </Link>
      }
    >
      {isStatus(read.error, 404, 409) ? (
        <Empty title={messageOf(read.error, common.common.failed)} />
      ) : (
        <Loaded query={read} />
      )}
    </Screen>
  );
}

type Props = { catalogue: string; shown: UploadedImportDifference; kinds: CatalogueKind[] };

const COUNTS: Column<ImportChange>[] = [
  {
    id: 'kind',
    header: texts.kind,
    cell: ({ kind }) => <span className="strong">{words.kindName(kind)}</span>,
  },
  ...([...ACTIONS, 'unchanged'] as const).map(
    (name): Column<ImportChange> => ({
      id: name,
      header: texts[name],
      kind: 'sum',
      cell: change => count(change[name]),
    }),
  ),
];

const FAULTS: Column<ImportFault>[] = [
  { id: 'line', header: texts.line, cell: ({ place }) => place },
  { id: 'record', header: texts.record, kind: 'wide', cell: ({ slug }) => slug },
  { id: 'field', header: common.files.upload.field, cell: ({ field }) => field },
  { id: 'problem', header: common.files.upload.problem, kind: 'wide', cell: ({ message }) => message },
];

function ImportedFile({ catalogue, shown, kinds }: Props) {
  const navigate = useNavigate();
  const publisher = has(useStaff(), 'publisher');
  const [open, setOpen] = useState<'apply' | 'discard'>();
  const [refusal, setRefusal] = useState('');
  const { import: file, changes, faults } = shown;
  const met = changes.filter(
    ({ added, changed, unchanged, removed }) => added + changed + unchanged + removed,
  );
  const count = changes.reduce((sum, { added, changed, removed }) => sum + added + changed + removed, 0);
  const list = listPath({ catalogue, service: file.service, kind: met[0]?.kind ?? '' });
  const leave = (text: string, undo?: Undo) => {
    void notify(text, 'done');
    void navigate(list, { state: { undo } });
    void readListsAgain();
  };
  return (
    <Screen
      title={file.file.replace(/\.jsonl$/, '')}
      lead={texts.lead({
        site: file.service,
        count: file.records,
        by: file.who,
        at: dateTime(iso(file.at)),
      })}
      actions={
        <>
          <Link className="button" to={list}>
            {texts.back}
          </Link>
          <Button onClick={() => setOpen('discard')}>{texts.discard}</Button>
          {count > 0 && faults.length === 0 && <PreviewButton make={() => previewFile(catalogue, file.id)} />}
          {publisher && count > 0 && faults.length === 0 && (
            <Button tone="primary" onClick={() => setOpen('apply')}>
              {texts.apply}
            </Button>
          )}
        </>
      }
    >
      {refusal && (
        <p className="notice bad" role="alert">
          {refusal}
        </p>
      )}
      {faults.length > 0 ? (
        <section className="stack">
          <p className="notice bad" role="alert">
            {texts.faults}
          </p>
          <DataTable
            label={common.files.upload.problem}
            columns={FAULTS}
            rows={faults}
            keyOf={({ kind, slug, field }) => `${kind} ${slug} ${field}`}
          />
        </section>
      ) : (
        <>
          {count === 0 && (
            <p className="notice good" role="status">
              {texts.same}
            </p>
          )}
          {count > 0 && !publisher && (
            <section className="panel stack tight">
              <p>{texts.handOver}</p>
              <CopyText label={texts.address} text={location.href} />
            </section>
          )}
          <section className="stack">
            <h2>{texts.counts}</h2>
            <DataTable label={texts.counts} columns={COUNTS} rows={met} keyOf={({ kind }) => kind} />
            {file.prune && <p className="muted">{texts.prune}</p>}
          </section>
          {met.flatMap(change =>
            ACTIONS.filter(action => change[action] > 0).map(action => (
              <Records
                key={`${change.kind} ${action}`}
                catalogue={catalogue}
                shown={shown}
                kind={kinds.find(({ kind }) => kind === change.kind)}
                action={action}
                change={change}
              />
            )),
          )}
          <p className="muted small hash">
            {texts.hash}: <code>{file.sha256}</code>
          </p>
        </>
      )}
      {open === 'apply' && (
        <ApplyDialog
          catalogue={catalogue}
          shown={shown}
          kinds={kinds}
          count={count}
          onDone={undo => leave(texts.applied, undo)}
          onRefused={text => {
            setRefusal(text);
            setOpen(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'discard' && (
        <ConfirmDialog
          title={texts.discardTitle}
          text={texts.discardText}
          submit={texts.discard}
          run={() => discardFile(catalogue, String(file.id))}
          onDone={() => leave(texts.discarded)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Screen>
  );
}

type RecordsProps = {
  catalogue: string;
  shown: UploadedImportDifference;
  kind: CatalogueKind | undefined;
  action: Action;
  change: ImportChange;
};

/** The records of one kind to which the same happens. */
function Records({ catalogue, shown, kind, action, change }: RecordsProps) {
  const { id, service } = shown.import;
  const list = useInfiniteQuery(recordsQuery(catalogue, String(id), shown.difference, change.kind, action));
  const heading = texts.heading({
    kind: words.kindName(change.kind),
    count: change[action],
    action: texts.of[action],
  });
  const place = { catalogue, service, kind: change.kind };
  const columns: Column<RecordDifference>[] = [
    {
      id: 'record',
      header: texts.record,
      kind: 'wide',
      cell: ({ slug, title, fields }) => (
        <div className="pictured">
          {kind && action === 'added' && <Thumbnail address={pictureOf(kind, fieldsAfter(fields))} />}
          <div>
            {action === 'added' ? (
              <span className="strong">{title}</span>
            ) : (
              <Link to={recordPath(place, slug)} data-item className="strong">
                {title}
              </Link>
            )}
            <span className="muted small block">{slug}</span>
          </div>
        </div>
      ),
    },
    ...(action === 'removed'
      ? []
      : [{ id: 'line', header: texts.line, cell: ({ line }: RecordDifference) => line }]),
    {
      id: 'fields',
      header: texts.fields,
      kind: 'wide',
      cell: record =>
        action === 'removed' ? texts.gone : <Fields kind={kind} record={record} action={action} />,
    },
  ];
  return (
    <section className="stack">
      <h2>{heading}</h2>
      <Loaded query={list}>
        {({ pages }) => (
          <DataTable
            label={heading}
            columns={columns}
            rows={pages.flatMap(page => page.differences)}
            keyOf={({ slug }) => slug}
          />
        )}
      </Loaded>
      <More list={list}>{texts.more}</More>
    </section>
  );
}

type FieldsProps = { kind: CatalogueKind | undefined; record: RecordDifference; action: Action };

/** The fields with old and new; of a new record, all of them behind their names. */
function Fields({ kind, record: { fields }, action }: FieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const media = kind && <RecordMedia kind={kind} record={fieldsAfter(fields)} />;
  const list = (
    <dl className="changes">
      {fields.map(({ field, before, after }) => {
        const form = kind?.fields.find(({ name }) => name === field);
        const text = (value: typeof before) =>
          form ? readable(form, String(value ?? '')) : String(value ?? '–');
        return (
          <div key={field}>
            <dt className="muted">{words.fieldName(field)}</dt>
            <dd>
              {action === 'changed' && (
                <>
                  <del>{text(before)}</del>
                  <span aria-hidden="true"> → </span>
                </>
              )}
              <ins>{text(after)}</ins>
            </dd>
          </div>
        );
      })}
    </dl>
  );
  if (action === 'changed')
    return (
      <>
        {list}
        {media}
      </>
    );
  return (
    <details className="facts" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary data-item>{fields.map(({ field }) => words.fieldName(field)).join(', ')}</summary>
      {isOpen && media}
      {list}
    </details>
  );
}

type ApplyProps = {
  catalogue: string;
  shown: UploadedImportDifference;
  kinds: CatalogueKind[];
  count: number;
  onDone: (undo: Undo | undefined) => void;
  /** The difference is not what was shown any more: the new one is. */
  onRefused: (text: string) => void;
  onClose: () => void;
};

/** Asks once, and where more than a tenth goes twice: the number is typed, and the service compares it. */
function ApplyDialog({ catalogue, shown, kinds, count, onDone, onRefused, onClose }: ApplyProps) {
  const { confirm } = shown;
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState('');
  const applying = useMutation({
    mutationFn: async () => {
      // Without it, the file is applied all the same.
      const undo = await undoOf(catalogue, shown, kinds).catch(() => undefined);
      await applyFile(catalogue, shown, confirm);
      return undo;
    },
    onSuccess: onDone,
    onError: error => {
      const text = messageOf(error, common.common.failed);
      if (isStatus(error, 409)) onRefused(text);
      else setFault(text);
    },
  });
  return (
    <Dialog title={texts.applyTitle} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          if (confirm !== null && typed.trim() !== String(confirm)) setFault(texts.confirmFault);
          else applying.mutate();
        }}
      >
        <p className="muted">{texts.applyText({ count })}</p>
        {confirm !== null && (
          <>
            <p className="notice bad">{texts.confirm({ count: confirm })}</p>
            <TextField
              label={texts.confirmLabel({ count: confirm })}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </>
        )}
        <FormFault>{fault}</FormFault>
        <DialogActions
          submit={texts.apply}
          pending={applying.isPending}
          tone={confirm === null ? 'primary' : 'danger'}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
