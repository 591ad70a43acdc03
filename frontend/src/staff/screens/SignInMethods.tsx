/** How the reader signs in: passkeys, and the account of the provider of single sign-on. */

import { useState } from 'react';
import type { OwnPasskey } from '../../shared/contract/staff';
import { useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import {
  addPasskey,
  beginLink,
  client,
  getNewPasskeyOptions,
  leaveFor,
  passkeysQuery,
  providerLinkQuery,
  removePasskey,
  unlink,
} from '../api';
import { dateTime } from '../format';
import { passkeyForm, showRefusal, useChecked } from '../forms';
import { canUsePasskeys, makePasskey } from '../passkeys';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { type Column, DataTable } from '../ui/DataTable';
import { Dialog } from '../ui/Dialog';
import { useFormDraft } from '../ui/drafts';
import { DialogActions, Form } from '../ui/Form';
import { notifyFailure } from '../ui/failure';
import { TextField } from '../ui/fields';
import { Loaded } from '../ui/States';
import { words } from '../words';

const texts = words.passkeys;

export function SignInMethods() {
  return (
    <>
      <OwnPasskeys />
      <OwnProviderLink />
    </>
  );
}

function OwnPasskeys() {
  const passkeys = useQuery(passkeysQuery);
  const [dialog, setDialog] = useState<'add' | OwnPasskey>();
  const close = () => {
    setDialog(undefined);
    void client.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  };
  const columns: Column<OwnPasskey>[] = [
    { id: 'name', header: texts.name, cell: ({ name }) => <span className="strong">{name}</span> },
    { id: 'created', header: texts.created, cell: ({ created_at }) => dateTime(created_at) },
    {
      id: 'used',
      header: texts.used,
      cell: ({ last_used_at }) => (last_used_at ? dateTime(last_used_at) : words.common.never),
    },
    {
      id: 'remove',
      header: '',
      kind: 'actions',
      cell: passkey => (
        <Button
          data-item
          aria-label={texts.removeOf({ name: passkey.name })}
          onClick={() => setDialog(passkey)}
        >
          {texts.remove}
        </Button>
      ),
    },
  ];
  const isPossible = passkeys.data?.available && canUsePasskeys();
  return (
    <section className="stack" aria-labelledby="passkeys">
      <h2 id="passkeys">{texts.title}</h2>
      <p className="muted">{passkeys.data && !isPossible ? texts.notHere : texts.lead}</p>
      {passkeys.data && passkeys.data.passkeys.length > 0 && (
        <DataTable
          label={texts.title}
          columns={columns}
          rows={passkeys.data.passkeys}
          keyOf={({ id }) => String(id)}
        />
      )}
      {isPossible && (
        <p>
          <Button onClick={() => setDialog('add')}>{texts.add}</Button>
        </p>
      )}
      <Loaded query={passkeys} />
      {dialog === 'add' && <AddDialog onClose={close} />}
      {typeof dialog === 'object' && (
        <ConfirmDialog
          title={texts.removeTitle}
          text={texts.removeText({ name: dialog.name })}
          submit={texts.removeSubmit}
          run={() => removePasskey(dialog.id)}
          onClose={close}
        />
      )}
    </section>
  );
}

/** The name first: the browser asks for the rest. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const form = useChecked(passkeyForm, { name: '' });
  const draft = useFormDraft(form, 'passkey');
  const action = useMutation({
    mutationFn: async ({ name }: { name: string }) =>
      addPasskey({ name, passkey: await makePasskey(await getNewPasskeyOptions()) }),
    onSuccess: () => {
      void notify(texts.added, 'done');
      onClose();
    },
    onError: error => {
      // Of the browser: the person refused, had no authenticator, or it is registered.
      if (error instanceof DOMException) form.setError('root', { message: texts.notMade });
      else showRefusal(form, error);
    },
  });
  const { errors } = form.formState;
  return (
    <Dialog title={texts.addTitle} onClose={onClose}>
      <Form
        form={form}
        draft={draft}
        onSubmit={action.mutateAsync}
        actions={<DialogActions submit={texts.addSubmit} pending={action.isPending} onClose={onClose} />}
      >
        <TextField
          label={texts.nameLabel}
          hint={texts.nameHint}
          autoComplete="off"
          fault={errors.name?.message}
          field={form.register('name')}
        />
      </Form>
    </Dialog>
  );
}

/** Nothing where there is no provider. */
function OwnProviderLink() {
  const { data } = useQuery(providerLinkQuery);
  const linking = useMutation({ mutationFn: beginLink, onSuccess: leaveFor, onError: notifyFailure });
  const unlinking = useMutation({
    mutationFn: unlink,
    onSuccess: () => client.invalidateQueries({ queryKey: providerLinkQuery.queryKey }),
    onError: notifyFailure,
  });
  if (!data?.provider) return null;
  const { provider, linked } = data;
  return (
    <section className="stack" aria-labelledby="single-sign-on">
      <h2 id="single-sign-on">{words.singleSignOn.title}</h2>
      <p className="muted">
        {linked ? words.singleSignOn.linked({ provider }) : words.singleSignOn.notLinked({ provider })}
      </p>
      <p>
        <Button
          disabled={linking.isPending || unlinking.isPending}
          onClick={() => (linked ? unlinking.mutate() : linking.mutate())}
        >
          {linked ? words.singleSignOn.unlink : words.singleSignOn.link({ provider })}
        </Button>
      </p>
    </section>
  );
}
