/** Signing in: address, password and code together, or without the code where a passkey follows, or by single sign-on. */

import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { SecondFactor } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import { beginSignIn, enter, leaveFor, signIn, signInOptionsQuery } from '../api';
import { showRefusal, signInForm, useChecked } from '../forms';
import { Button } from '../ui/Button';
import { CodeField, FormFault, PasswordField, TextField } from '../ui/fields';
import { Outside } from '../ui/Outside';
import { wordFor, words } from '../words';
import { SecondFactorStep } from './SecondFactorStep';

const texts = words.signIn;

export function SignInScreen() {
  const [needed, setNeeded] = useState<SecondFactor>();
  if (needed) return <SecondFactorStep needed={needed} />;
  return <FirstStep onNeeded={setNeeded} />;
}

function FirstStep({ onNeeded }: { onNeeded: (needed: SecondFactor) => void }) {
  const [query] = useSearchParams();
  const failure = query.get('failure');
  const form = useChecked(signInForm, { email: '', password: '', code: '' });
  const { errors } = form.formState;
  const action = useMutation({
    mutationFn: signIn,
    onSuccess: reply => ('staff' in reply ? enter(reply.staff) : onNeeded(reply)),
    onError: error => {
      // A code counts once, also in a refused attempt.
      form.resetField('code');
      showRefusal(form, error);
    },
  });
  return (
    <Outside title={texts.title} lead={texts.lead}>
      <form className="stack" noValidate onSubmit={form.handleSubmit(given => action.mutate(given))}>
        {failure !== null && !errors.root && (
          <FormFault>{wordFor(texts.failures, failure in texts.failures ? failure : 'failed')}</FormFault>
        )}
        <TextField
          label={texts.email}
          type="email"
          autoComplete="username"
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
    </Outside>
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
