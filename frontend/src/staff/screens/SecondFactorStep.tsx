/** The second step of a sign-in: one of the person's passkeys, or a code. */

import { useEffect, useRef } from 'react';
import { Navigate } from 'react-router';
import type { SecondFactor } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import { enter, getSecondFactor, proveSecondFactor, secondFactorQuery } from '../api';
import { codeForm, showRefusal, useChecked } from '../forms';
import { answerByPasskey, canUsePasskeys } from '../passkeys';
import { paths } from '../paths';
import { Button } from '../ui/Button';
import { CodeField, FormFault } from '../ui/fields';
import { Outside } from '../ui/Outside';
import { Loading } from '../ui/States';
import { words } from '../words';

const texts = words.signIn.second;

/** After single sign-on. */
export function SecondFactorScreen() {
  const needed = useQuery(secondFactorQuery);
  if (needed.data) return <SecondFactorStep needed={needed.data} />;
  if (needed.error) return <Navigate to={`${paths.signIn}?failure=expired`} replace />;
  return (
    <main className="outside">
      <Loading />
    </main>
  );
}

export function SecondFactorStep({ needed }: { needed: SecondFactor }) {
  const form = useChecked(codeForm, { code: '' });
  const { errors } = form.formState;
  const byPasskey = useMutation({
    // A challenge is answered once: without one, a new one is read.
    mutationFn: async (given: SecondFactor | undefined) => {
      const { passkey } = given ?? (await getSecondFactor());
      return proveSecondFactor({ passkey: passkey && (await answerByPasskey(passkey)) });
    },
    onSuccess: enter,
  });
  const byCode = useMutation({
    mutationFn: proveSecondFactor,
    onSuccess: enter,
    onError: error => {
      form.resetField('code');
      showRefusal(form, error);
    },
  });
  const hasPasskey = needed.passkey !== null && canUsePasskeys();
  const begun = useRef(false);
  const { mutate } = byPasskey;
  useEffect(() => {
    // The browser asks at once; the button is there for a second attempt.
    if (!hasPasskey || begun.current) return;
    begun.current = true;
    mutate(needed);
  }, [hasPasskey, mutate, needed]);
  return (
    <Outside title={texts.title} lead={hasPasskey ? texts.lead : texts.codeLead}>
      {hasPasskey && (
        <div className="stack">
          <FormFault>{byPasskey.error && messageOf(byPasskey.error, texts.passkeyUnused)}</FormFault>
          <Button tone="primary" large disabled={byPasskey.isPending} onClick={() => mutate(undefined)}>
            {texts.passkey}
          </Button>
        </div>
      )}
      <form className="stack" noValidate onSubmit={form.handleSubmit(given => byCode.mutate(given))}>
        <CodeField label={words.signIn.code} fault={errors.code?.message} field={form.register('code')} />
        <FormFault>{errors.root?.message}</FormFault>
        <Button type="submit" tone={hasPasskey ? '' : 'primary'} large disabled={byCode.isPending}>
          {texts.submit}
        </Button>
      </form>
    </Outside>
  );
}
