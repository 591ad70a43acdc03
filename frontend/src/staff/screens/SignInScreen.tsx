/** Signing in: address, password and code together, or without the code where a passkey follows, or by single sign-on. */

import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Person, SecondFactor } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import { beginSignIn, client, enter, goOn, leaveFor, sessionQuery, signIn, signInOptionsQuery } from '../api';
import { onSessionEnd } from '../client';
import { showRefusal, signInForm, useChecked } from '../forms';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { CodeField, FormFault, PasswordField, TextField } from '../ui/fields';
import { Outside } from '../ui/Outside';
import { wordFor, words } from '../words';
import { SecondFactorForm, SecondFactorStep } from './SecondFactorStep';

const texts = words.signIn;

export function SignInScreen() {
  const [needed, setNeeded] = useState<SecondFactor>();
  if (needed) return <SecondFactorStep needed={needed} />;
  return <FirstStep onNeeded={setNeeded} />;
}

function FirstStep({ onNeeded }: { onNeeded: (needed: SecondFactor) => void }) {
  return (
    <Outside title={texts.title} lead={texts.lead}>
      <SignInForm onEntered={enter} onNeeded={onNeeded} />
    </Outside>
  );
}

type Props = {
  /** Of the person who signs in again. */
  email?: string;
  onEntered: (staff: Person) => void;
  onNeeded: (needed: SecondFactor) => void;
};

function SignInForm({ email = '', onEntered, onNeeded }: Props) {
  const [query] = useSearchParams();
  const failure = query.get('failure');
  const form = useChecked(signInForm, { email, password: '', code: '' });
  const { errors } = form.formState;
  const action = useMutation({
    mutationFn: signIn,
    onSuccess: reply => ('staff' in reply ? onEntered(reply.staff) : onNeeded(reply)),
    onError: error => {
      // A code counts once, also in a refused attempt.
      form.resetField('code');
      showRefusal(form, error);
    },
  });
  return (
    <form className="stack" noValidate onSubmit={form.handleSubmit(given => action.mutate(given))}>
      {failure !== null && !errors.root && (
        <FormFault>{wordFor(texts.failures, failure in texts.failures ? failure : 'failed')}</FormFault>
      )}
      <TextField
        label={texts.email}
        type="email"
        autoComplete="username"
        readOnly={email !== ''}
        fault={errors.email?.message}
        field={form.register('email')}
      />
      <PasswordField
        label={texts.password}
        autoComplete="current-password"
        fault={errors.password?.message}
        field={form.register('password')}
      />
      <CodeField
        label={texts.code}
        hint={texts.codeHint}
        fault={errors.code?.message}
        field={form.register('code')}
      />
      <FormFault>{errors.root?.message}</FormFault>
      <Button type="submit" tone="primary" large disabled={action.isPending}>
        {texts.submit}
      </Button>
      <ByProvider />
      <p className="muted small">{texts.lost}</p>
    </form>
  );
}

/** Opens over every screen and dialog once the session has ended; what is typed there stays, and calls that were refused are sent again. */
export function SignInDialog() {
  const [open, setOpen] = useState<{ email: string; close: (isSignedIn: boolean) => void }>();
  const [needed, setNeeded] = useState<SecondFactor>();
  useEffect(
    () =>
      onSessionEnd(async () => {
        const staff = client.getQueryData(sessionQuery.queryKey);
        if (!staff) return false;
        setNeeded(undefined);
        const isSignedIn = await new Promise<boolean>(close => setOpen({ email: staff.email, close }));
        setOpen(undefined);
        return isSignedIn;
      }),
    [],
  );
  if (!open) return null;
  const onEntered = (staff: Person) => {
    // The provider of single sign-on may name another person.
    if (staff.email === open.email) goOn(staff);
    else enter(staff);
    open.close(staff.email === open.email);
  };
  const leave = () => {
    enter(null);
    open.close(false);
  };
  return (
    <Dialog title={texts.again} covers onClose={leave}>
      <div className="stack">
        <p className="muted">{texts.againLead}</p>
        {needed ? (
          <SecondFactorForm needed={needed} onProved={onEntered} />
        ) : (
          <SignInForm email={open.email} onEntered={onEntered} onNeeded={setNeeded} />
        )}
      </div>
    </Dialog>
  );
}

/** Single sign-on, where it is configured. */
function ByProvider() {
  const provider = useQuery(signInOptionsQuery).data?.provider;
  const action = useMutation({ mutationFn: beginSignIn, onSuccess: leaveFor });
  if (!provider) return null;
  return (
    <>
      <FormFault>{action.error && messageOf(action.error, words.common.offline)}</FormFault>
      <Button large disabled={action.isPending} onClick={() => action.mutate()}>
        {texts.byProvider({ provider })}
      </Button>
    </>
  );
}
