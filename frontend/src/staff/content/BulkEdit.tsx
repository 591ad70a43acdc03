/** What is done with the chosen records of a list: one field is set on all of them. It is the import of a file, whose difference is shown first. */

import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { CatalogueKind, CatalogueRecord } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation } from '../../shared/http/queries';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { DialogActions } from '../ui/Form';
import { notifyFailure } from '../ui/failure';
import { FormFault, SelectField, TextField } from '../ui/fields';
import { words as common } from '../words';
import { allRecords } from './api';
import { recordOf, valuesOf } from './fields';
import { uploadLines } from './imports';
import { RecordChoices } from './RecordChoices';
import type { Selection } from './selection';
import type { ListFilter, Place } from './types';
import { words } from './words';

const texts = common.files.bulk;

/** Longer lists are not counted to their end, and are too long to be edited at once. */
export const COUNTED = 10_000;

type BarProps = {
  kind: CatalogueKind;
  filter: ListFilter;
  shown: CatalogueRecord[];
  /** How many records the list has; null where that is not known yet. */
  count: number | null;
  selection: Selection<CatalogueRecord>;
};

export function SelectionBar({ kind, filter, shown, count, selection }: BarProps) {
  const [open, setOpen] = useState(false);
  const { records } = selection;
  const reading = useMutation({
    mutationFn: () => allRecords(filter),
    onSuccess: all => selection.set(all, true),
    onError: notifyFailure,
  });
  const isShownSelected = shown.every(selection.has);
  const hasMore = count !== null && count > Math.max(shown.length, records.length);
  return (
    <div className="selection">
      <label className="check">
        <input
          type="checkbox"
          checked={isShownSelected}
          onChange={event => selection.set(shown, event.target.checked)}
        />
        {common.files.list.selectShown}
      </label>
      {isShownSelected && hasMore && count <= COUNTED && (
        <Button disabled={reading.isPending} onClick={() => reading.mutate()}>
          {common.files.list.selectAll({ count })}
        </Button>
      )}
      <span className="muted small keys-hint">{common.files.list.selectHint}</span>
      {records.length > 0 && (
        <>
          <span role="status">{common.files.list.selected({ count: records.length })}</span>
          <Button tone="primary" onClick={() => setOpen(true)}>
            {common.files.list.edit}
          </Button>
          <Button onClick={selection.clear}>{common.files.list.clear}</Button>
        </>
      )}
      {open && <BulkEditDialog kind={kind} place={filter} records={records} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The records with one field set, as JSON Lines. */
function linesOf(
  kind: CatalogueKind,
  { service, kind: name }: Place,
  records: CatalogueRecord[],
  field: string,
  value: string,
): string {
  const line = ({ record }: CatalogueRecord) => ({
    service,
    kind: name,
    ...recordOf(kind, { ...valuesOf(kind, record), [field]: value }),
  });
  return records.map(record => `${JSON.stringify(line(record))}\n`).join('');
}

const HINTS: Record<string, string> = {
  publish_at: texts.always,
  expires_at: texts.never,
  state: texts.held,
  parent: texts.parent,
};

type DialogProps = { kind: CatalogueKind; place: Place; records: CatalogueRecord[]; onClose: () => void };

function BulkEditDialog({ kind, place, records, onClose }: DialogProps) {
  const id = useId();
  const navigate = useNavigate();
  const names = [...(kind.parent ? ['parent'] : []), 'state', 'publish_at', 'expires_at'];
  const [name, setName] = useState(names[0] ?? 'state');
  const [value, setValue] = useState(name === 'state' ? 'listed' : '');
  const [fault, setFault] = useState('');
  const saving = useMutation({
    mutationFn: () => {
      const lines = linesOf(kind, place, records, name, value);
      return uploadLines(place, `${texts.title({ count: records.length })}.jsonl`, lines);
    },
    onSuccess: address => navigate(address),
    onError: error => setFault(messageOf(error, common.common.failed)),
  });
  const control = {
    label: texts.value,
    hint: HINTS[name],
    value,
    onChange: ({ target }: { target: { value: string } }) => setValue(target.value),
  };
  return (
    <Dialog title={texts.title({ count: records.length })} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          setFault('');
          if (name === 'parent' && value.trim() === '') setFault(texts.needed);
          else saving.mutate();
        }}
      >
        <p className="muted">{texts.lead}</p>
        <SelectField
          label={texts.field}
          value={name}
          onChange={({ target }) => {
            setName(target.value);
            setValue(target.value === 'state' ? 'listed' : '');
          }}
          options={names.map(each => [each, words.fieldName(each)])}
        />
        {name === 'state' ? (
          <SelectField {...control} options={Object.entries(words.record.stateOptions)} />
        ) : name === 'parent' ? (
          <>
            <TextField {...control} list={id} autoComplete="off" />
            <RecordChoices id={id} place={{ ...place, kind: kind.parent ?? '' }} q={value} />
          </>
        ) : (
          <TextField {...control} type="datetime-local" step={1} />
        )}
        <FormFault>{fault}</FormFault>
        <DialogActions submit={texts.submit} pending={saving.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
