/** Asks for the reason of an action, which the audit log keeps. */
import type { ReactNode } from 'react';
import { useMutation } from '../../shared/http/queries';
import { reasonForm, showRefusal, useChecked } from '../forms';
import { words } from '../words';
import { Dialog } from './Dialog';
import { useFormDraft } from './drafts';
import { DialogActions, Form } from './Form';
import { TextArea } from './fields';

type Props = {
  title: string;
  /** What the reason is for, where the title does not name it. */
  subject?: string | number;
  text: ReactNode;
  submit: string;
  danger?: boolean;
  /** Common reasons, offered as buttons. */
  suggestions?: string[];
  run: (reason: string) => Promise<unknown>;
  onClose: () => void;
};

export function ReasonDialog({
  title,
  subject = '',
  text,
  submit,
  danger = false,
  suggestions = [],
  run,
  onClose,
}: Props) {
  const form = useChecked(reasonForm, { reason: '' });
  const draft = useFormDraft(form, `${title} ${subject}`);
  const action = useMutation({
    mutationFn: ({ reason }: { reason: string }) => run(reason),
    onSuccess: onClose,
    onError: error => showRefusal(form, error),
  });
  const { errors } = form.formState;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        form={form}
        draft={draft}
        onSubmit={action.mutateAsync}
        actions={
          <DialogActions
            submit={submit}
            pending={action.isPending}
            tone={danger ? 'danger' : 'primary'}
            onClose={onClose}
          />
        }
      >
        <div className="muted">{text}</div>
        {suggestions.length > 0 && (
          <div className="chips">
            {suggestions.map(each => (
              <button
                key={each}
                type="button"
                className="chip"
                onClick={() => form.setValue('reason', each, { shouldValidate: true })}
              >
                {each}
              </button>
            ))}
          </div>
        )}
        <TextArea
          label={words.common.reason}
          hint={words.common.reasonHint}
          fault={errors.reason?.message}
          field={form.register('reason')}
        />
      </Form>
    </Dialog>
  );
}
