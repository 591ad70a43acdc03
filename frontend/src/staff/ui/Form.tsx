/** A form whose text is not lost: it is a private draft until it is sent. */
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from '../forms';
import { words } from '../words';
import { Button } from './Button';
import { DraftFoot, DraftNotices, type FormDraft } from './drafts';
import { FormFault } from './fields';
import { useUnsaved } from './unsaved';

type Props<Input extends FieldValues, Output extends FieldValues> = {
  form: UseFormReturn<Input, unknown, Output>;
  draft: FormDraft;
  /** Rejects where the form was refused, which is shown already. */
  onSubmit: (values: Output) => Promise<unknown>;
  /** The buttons below what the form was refused for. */
  actions: ReactNode;
  className?: string;
  children: ReactNode;
};

export function Form<Input extends FieldValues, Output extends FieldValues>({
  form,
  draft,
  onSubmit,
  actions,
  className = 'stack',
  children,
}: Props<Input, Output>) {
  const { isDirty, errors } = form.formState;
  useUnsaved(isDirty, draft.isKept);
  const submit = async (values: Output) => {
    const text = draft.collect();
    try {
      await onSubmit(values);
    } catch {
      return;
    }
    void draft.sent(text);
  };
  return (
    <form className={className} noValidate onSubmit={form.handleSubmit(submit)}>
      <DraftNotices draft={draft} isTyped={isDirty} />
      {children}
      <FormFault>{errors.root?.message}</FormFault>
      {actions}
      <DraftFoot draft={draft} isTyped={isDirty} />
    </form>
  );
}

type ActionsProps = { submit: string; pending: boolean; tone?: 'primary' | 'danger'; onClose: () => void };

/** The buttons of a dialog's form. */
export function DialogActions({ submit, pending, tone = 'primary', onClose }: ActionsProps) {
  return (
    <div className="dialog-actions">
      <Button onClick={onClose}>{words.common.cancel}</Button>
      <Button type="submit" tone={tone} disabled={pending}>
        {submit}
      </Button>
    </div>
  );
}
