/** Asks once more before an action that cannot be undone. */
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../shared/http/problem';
import { useMutation } from '../../shared/http/queries';
import { words } from '../words';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { FormFault } from './fields';

type Props<T> = {
  title: string;
  text: ReactNode;
  submit: string;
  /** Whether it is the usual next step, and no loss. */
  primary?: boolean;
  run: () => Promise<T>;
  /** After the action; without it, the dialog closes. */
  onDone?: (result: T) => void;
  onClose: () => void;
};

export function ConfirmDialog<T>({
  title,
  text,
  submit,
  primary = false,
  run,
  onDone = () => onClose(),
  onClose,
}: Props<T>) {
  const [fault, setFault] = useState('');
  const action = useMutation({
    mutationFn: run,
    onSuccess: onDone,
    onError: error => setFault(messageOf(error, words.common.failed)),
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <div className="muted">{text}</div>
        <FormFault>{fault}</FormFault>
        <div className="dialog-actions">
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button
            tone={primary ? 'primary' : 'danger'}
            disabled={action.isPending}
            onClick={() => action.mutate()}
          >
            {submit}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
