/** A draft: who saved it, what it changes field by field, and the next steps: submit, publish, send back, discard. */

import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { CatalogueKind, CatalogueRecord, Draft } from '../../shared/contract/staff';
import { useMutation } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { dateTime } from '../format';
import { listPath } from '../paths';
import { has } from '../roles';
import { useStaff } from '../staff';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { notifyFailure } from '../ui/failure';
import { ReasonDialog } from '../ui/ReasonDialog';
import { discardDraft, publishDraft, readAgain, sendBack, submitDraft } from './api';
import { type Difference, differences } from './fields';
import { DifferenceTable } from './History';
import { words } from './words';

const texts = words.record;

type Props = {
  kind: CatalogueKind;
  draft: Draft;
  live: CatalogueRecord | null;
  /** Whether the form has text that the draft has not. */
  isUnsaved: boolean;
  /** Saves that text in the draft, or shows why it cannot. */
  save: () => Promise<unknown>;
};

export function DraftPanel({ kind, draft, live, isUnsaved, save }: Props) {
  const [open, setOpen] = useState<'save' | 'publish' | 'return' | 'discard'>();
  const navigate = useNavigate();
  const publisher = has(useStaff(), 'publisher');
  const { state, mine, by, at, reason, returned_by } = draft;
  // Publishing does not change the state of a record that is taken down.
  const counts = ({ field }: Difference) => !(live?.held && field.form === 'State');
  const changes = differences(kind, live?.record ?? null, draft.record).filter(counts);
  const moved = changes.length > 0 && differences(kind, draft.base, live?.record ?? {}).some(counts);
  const done = (text: string) => {
    void notify(text, 'done');
    void readAgain();
  };
  const submit = useMutation({
    mutationFn: () => submitDraft(draft),
    onSuccess: () => done(texts.submitted),
    onError: notifyFailure,
  });
  const close = () => setOpen(undefined);
  return (
    <section className="panel stack draft">
      <h2>{texts.differences}</h2>
      <p className="muted">{texts.draftOf({ state: words.states[state], by, at: dateTime(at) })}</p>
      {returned_by && (
        <p className="notice bad">
          {texts.returned({ by: returned_by })} {reason}
        </p>
      )}
      {moved && (
        <p className="notice bad" role="status">
          {texts.moved}
        </p>
      )}
      {changes.length > 0 ? (
        <DifferenceTable label={texts.differences} before={texts.now} after={texts.draft} rows={changes} />
      ) : (
        <p>{texts.same}</p>
      )}
      <div className="actions">
        {state === 'draft' && (
          <Button
            tone={publisher && mine ? undefined : 'primary'}
            disabled={submit.isPending}
            onClick={() => (isUnsaved ? setOpen('save') : submit.mutate())}
          >
            {texts.submit}
          </Button>
        )}
        {publisher && (mine || state !== 'draft') && (
          <Button tone="primary" onClick={() => setOpen(isUnsaved ? 'save' : 'publish')}>
            {texts.publish}
          </Button>
        )}
        {publisher && state === 'review' && (
          <Button onClick={() => setOpen('return')}>{texts.sendBack}</Button>
        )}
        {state !== 'publishing' && <Button onClick={() => setOpen('discard')}>{texts.discard}</Button>}
      </div>
      {open === 'save' && (
        <ConfirmDialog
          title={texts.saveTitle}
          text={texts.saveText}
          submit={texts.save}
          primary
          run={async () => {
            close();
            await save();
          }}
          onClose={close}
        />
      )}
      {open === 'publish' && (
        <ConfirmDialog
          title={texts.publishTitle}
          text={texts.publishText({ changes: changes.length })}
          submit={texts.publish}
          primary
          run={() => publishDraft(draft)}
          onDone={() => done(texts.published)}
          onClose={close}
        />
      )}
      {open === 'return' && (
        <ReasonDialog
          title={texts.sendBackTitle}
          subject={draft.id}
          text={texts.sendBackText}
          submit={texts.sendBack}
          run={async given => {
            await sendBack(draft, given);
            done(texts.sentBack);
          }}
          onClose={close}
        />
      )}
      {open === 'discard' && (
        <ConfirmDialog
          title={texts.discardTitle}
          text={texts.discardText}
          submit={texts.discard}
          run={() => discardDraft(draft)}
          onDone={() => {
            // Without its draft, a record that was never live has no page.
            if (!live) void navigate(listPath(draft));
            close();
            done(texts.discarded);
          }}
          onClose={close}
        />
      )}
    </section>
  );
}
