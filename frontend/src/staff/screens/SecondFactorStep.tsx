/** The second factor, at a sign-in or again: one of the person's passkeys, or a code. */

import { useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router';
import type { Person, SecondFactor, SecondFactorProof } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import { beginProof, enter, getSecondFactor, proveSecondFactor, secondFactorQuery } from '../api';
import { onProofTooOld } from '../client';
import { codeForm, showRefusal, useChecked } from '../forms';
import { answerByPasskey, canUsePasskeys } from '../passkeys';
import { paths } from '../paths';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
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

const isByPasskey = ({ passkey }: SecondFactor) => passkey !== null && canUsePasskeys();

export function SecondFactorStep({ needed }: { needed: SecondFactor }) {
  return (
    <Outside title={texts.title} lead={isByPasskey(needed) ? texts.lead : texts.codeLead}>
      <SecondFactorForm needed={needed} onProved={enter} />
    </Outside>
  );
}

type Props = {
  needed: SecondFactor;
  /** Begins anew, where there is a session: a step that waited for long has ended. */
  begin?: () => Promise<SecondFactor>;
  onProved: (staff: Person) => void;
};

export function SecondFactorForm({ needed, begin, onProved }: Props) {
  const form = useChecked(codeForm, { code: '' });
  const { errors } = form.formState;
  const byPasskey = useMutation({
    // A challenge is answered once: without one, a new one is read.
    mutationFn: async (given: SecondFactor | undefined) => {
      const { passkey } = given ?? (await (begin ?? getSecondFactor)());
      return proveSecondFactor({ passkey: passkey && (await answerByPasskey(passkey)) });
    },
    onSuccess: onProved,
  });
  const byCode = useMutation({
    mutationFn: async (given: SecondFactorProof) => {
      await begin?.();
      return proveSecondFactor(given);
    },
    onSuccess: onProved,
    onError: error => {
      form.resetField('code');
      showRefusal(form, error);
    },
  });
  const hasPasskey = isByPasskey(needed);
  const begun = useRef(false);
  const { mutate } = byPasskey;
  useEffect(() => {
    // The browser asks at once; the button is there for a second attempt.
    if (!hasPasskey || begun.current) return;
    begun.current = true;
    mutate(needed);
  }, [hasPasskey, mutate, needed]);
  return (
    <>
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
    </>
  );
}

/** Opens over every screen and dialog where a call needs the second factor again; the call is then sent once more by itself. */
export function ProofDialog() {
  const [open, setOpen] = useState<{ needed: SecondFactor; close: (isProved: boolean) => void }>();
  useEffect(
    () =>
      onProofTooOld(async () => {
        const needed = await beginProof();
        const isProved = await new Promise<boolean>(close => setOpen({ needed, close }));
        setOpen(undefined);
        return isProved;
      }),
    [],
  );
  if (!open) return null;
  return (
    <Dialog title={texts.title} onClose={() => open.close(false)}>
      <div className="stack">
        <p className="muted">{texts.againLead}</p>
        <SecondFactorForm needed={open.needed} begin={beginProof} onProved={() => open.close(true)} />
        <p className="muted small">{words.signIn.lost}</p>
      </div>
    </Dialog>
  );
}
