/** Accepting an invitation or a reset: name, password, and the authenticator app's key as picture, link and text. */

import { lazy, Suspense } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Invitation } from '../../shared/contract/staff';
import { isStatus } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import {
  acceptInvitation,
  beginAcceptance,
  enter,
  invitationQuery,
  leaveFor,
  signInOptionsQuery,
} from '../api';
import { grouped } from '../format';
import { invitationForm, showRefusal, useChecked } from '../forms';
import { paths } from '../paths';
import { roleNames } from '../roles';
import { Button } from '../ui/Button';
import { CopyText } from '../ui/CopyText';
import { CodeField, FormFault, PasswordField, TextField } from '../ui/fields';
import { Outside } from '../ui/Outside';
import { Loaded } from '../ui/States';
import { words } from '../words';

const QrCode = lazy(() => import(/* webpackChunkName: "qr-code" */ '../ui/QrCode'));

export function InvitationScreen() {
  const { token = '' } = useParams();
  const invitation = useQuery(invitationQuery(token));
  if (invitation.data) return <Accept token={token} invitation={invitation.data} />;
  if (isStatus(invitation.error, 404))
    return (
      <Outside title={words.invitation.gone} lead={words.invitation.goneText}>
        <p>
          <Link className="button" to={paths.signIn}>
            {words.invitation.toSignIn}
          </Link>
        </p>
      </Outside>
    );
  return (
    <Outside title={words.invitation.title}>
      <Loaded query={invitation} />
    </Outside>
  );
}

function Accept({ token, invitation }: { token: string; invitation: Invitation }) {
  const { email, roles, resets, totp_secret, totp_url } = invitation;
  const texts = words.invitation;
  const navigate = useNavigate();
  const form = useChecked(invitationForm(email), { name: invitation.name, password: '', code: '' });
  const { errors } = form.formState;
  const action = useMutation({
    mutationFn: (given: { name: string; password: string; code: string }) => acceptInvitation(token, given),
    onSuccess: staff => {
      enter(staff);
      void navigate(paths.start, { replace: true });
    },
    onError: error => showRefusal(form, error),
  });
  const provider = useQuery(signInOptionsQuery).data?.provider;
  const byProvider = useMutation({
    mutationFn: () => {
      const { name, code } = form.getValues();
      return beginAcceptance(token, { name, code });
    },
    onSuccess: leaveFor,
    onError: error => showRefusal(form, error),
  });
  /** Without a password: the provider's account is the first factor. */
  const acceptByProvider = async () => {
    if (await form.trigger(['name', 'code'])) byProvider.mutate();
  };
  /** Faults that were shown before a submission go away as they are corrected. */
  const checkedAgain = (name: 'name' | 'code') =>
    form.register(name, { onChange: () => void (errors[name] && form.trigger(name)) });
  return (
    <Outside
      title={resets ? texts.resetTitle : texts.title}
      lead={resets ? texts.resetLead : texts.lead({ roles: roleNames(roles) })}
      wide
    >
      <form className="two-steps" noValidate onSubmit={form.handleSubmit(given => action.mutate(given))}>
        <section className="stack" aria-labelledby="step-1">
          <h2 id="step-1">{texts.step1}</h2>
          <div className="field">
            <label htmlFor="email">{texts.email}</label>
            <input id="email" type="email" autoComplete="username" value={email} readOnly />
          </div>
          <TextField
            label={texts.name}
            autoComplete="name"
            fault={errors.name?.message}
            field={checkedAgain('name')}
          />
          <PasswordField
            label={texts.password}
            hint={texts.passwordHint}
            autoComplete="new-password"
            fault={errors.password?.message}
            field={form.register('password')}
          />
        </section>
        <section className="stack" aria-labelledby="step-2">
          <h2 id="step-2">{texts.step2}</h2>
          <p className="muted">{texts.scan}</p>
          <div className="qr-box">
            <Suspense fallback={null}>
              <QrCode text={totp_url} title={texts.qr} />
            </Suspense>
          </div>
          <p>
            <a href={totp_url}>{texts.onPhone}</a>
          </p>
          <div className="field">
            <p className="label">{texts.secret}</p>
            <CopyText label={texts.secret} text={totp_secret} shown={grouped(totp_secret)} />
          </div>
          <CodeField
            label={texts.code}
            hint={texts.codeHint}
            fault={errors.code?.message}
            field={checkedAgain('code')}
          />
        </section>
        <div className="stack last">
          <FormFault>{errors.root?.message}</FormFault>
          <Button type="submit" tone="primary" large disabled={action.isPending}>
            {resets ? texts.resetSubmit : texts.submit}
          </Button>
          {provider && (
            <Button large disabled={byProvider.isPending} onClick={() => void acceptByProvider()}>
              {texts.byProvider({ provider })}
            </Button>
          )}
        </div>
      </form>
    </Outside>
  );
}
