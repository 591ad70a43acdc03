/** Puts chosen drafts together: they wait for a publisher as one file, whose difference is shown next. */

import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Draft } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation } from '../../shared/http/queries';
import { Dialog } from '../ui/Dialog';
import { DialogActions } from '../ui/Form';
import { FormFault, TextField } from '../ui/fields';
import { words as common } from '../words';
import { makeRelease, readAgain } from './api';
import { addressOfDifference } from './imports';
import { words } from './words';

const texts = words.release;

type Props = { drafts: [Draft & { title: string }, ...(Draft & { title: string })[]]; onClose: () => void };

export function ReleaseDialog({ drafts, onClose }: Props) {
  const [first] = drafts;
  const navigate = useNavigate();
  const [name, setName] = useState(() =>
    texts.named({ title: first.title.slice(0, 60), more: drafts.length - 1 }),
  );
  const [time, setTime] = useState('');
  const [fault, setFault] = useState('');
  const making = useMutation({
    mutationFn: async () =>
      addressOfDifference(first.catalogue, await makeRelease(drafts, name, time === '' ? null : time)),
    onSuccess: address => {
      void readAgain();
      return navigate(address);
    },
    onError: error => setFault(messageOf(error, common.common.failed)),
  });
  return (
    <Dialog title={texts.title({ count: drafts.length })} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          setFault('');
          making.mutate();
        }}
      >
        <p className="muted">{texts.lead}</p>
        <TextField
          label={texts.name}
          value={name}
          maxLength={100}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={texts.time}
          hint={texts.timeHint}
          type="datetime-local"
          step={1}
          value={time}
          onChange={({ target }) => setTime(target.value.length === 16 ? `${target.value}:00` : target.value)}
        />
        <FormFault>{fault}</FormFault>
        <DialogActions submit={texts.submit} pending={making.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
