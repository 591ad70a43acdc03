/** Signing in: address, password and code together, so that a refusal says nothing about either. */
import { useMutation } from '../../api/query-client';
import { enter, signIn } from '../api';
import { showRefusal, signInForm, useChecked } from '../forms';
import { CodeField, FormFault, PasswordField, TextField } from '../ui/fields';
import { Outside } from '../ui/Outside';
import { words } from '../words';

export function SignInScreen() {
  const form = useChecked(signInForm, { email: '', password: '', code: '' });
  const { errors } = form.formState;
  const action = useMutation({
    mutationFn: signIn,
    onSuccess: enter,
    onError: error => {
      // A code counts once, also in a refused attempt.
      form.resetField('code');
      showRefusal(form, error);
    },
  });
  return (
    <Outside title={words.signIn.title} lead={words.signIn.lead}>
      <form className="stack" noValidate onSubmit={form.handleSubmit(given => action.mutate(given))}>
        <TextField
          label={words.signIn.email}
          type="email"
          autoComplete="username"
          fault={errors.email?.message}
          field={form.register('email')}
        />
        <PasswordField
          label={words.signIn.password}
          autoComplete="current-password"
          fault={errors.password?.message}
          field={form.register('password')}
        />
        <CodeField label={words.signIn.code} fault={errors.code?.message} field={form.register('code')} />
        <FormFault>{errors.root?.message}</FormFault>
        <button type="submit" className="button primary large" disabled={action.isPending}>
          {words.signIn.submit}
        </button>
        <p className="muted small">{words.signIn.lost}</p>
      </form>
    </Outside>
  );
}
