/** A form whose text is not lost without a question. */
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from '../forms';
import { words } from '../words';
import { Button } from './Button';
import { FormFault } from './fields';
import { useUnsaved } from './unsaved';

type Props<Input extends FieldValues, Output extends FieldValues> = {
  form: UseFormReturn<Input, unknown, Output>;
  onSubmit: (values: Output) => unknown;
  /** Keeps the text where the session ends. */
  keep?: () => void;
  /** The buttons below what the form was refused for. */
  actions: ReactNode;
  className?: string;
  children: ReactNode;
};

export function Form<Input extends FieldValues, Output extends FieldValues>({
  form,
  onSubmit,
  keep,
  actions,
  className = 'stack',
  children,
}: Props<Input, Output>) {
  const { isDirty, errors } = form.formState;
  useUnsaved(isDirty, keep);
  return (
    <form className={className} noValidate onSubmit={form.handleSubmit(onSubmit)}>
      {children}
      <FormFault>{errors.root?.message}</FormFault>
      {actions}
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
