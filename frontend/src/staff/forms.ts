/** The only module that imports react-hook-form: forms whose faults stand beside the fields. */
import { zodResolver } from '@hookform/resolvers/zod';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { z } from 'zod';
import { messageOf } from '../shared/http/problem';
import { fieldErrors, minutesToWait } from './client';
import { ROLES } from './types';
import { words } from './words';

export type { FieldValues, UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';

// Without compiled validators: the content security policy forbids them.
z.config({ jitless: true });

const faults = words.forms;
const email = z.string().trim().pipe(z.email(faults.email));
const name = z.string().trim().min(1, faults.name).max(100, faults.nameLong);
const code = z
  .string()
  .transform(text => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, faults.code));
const roles = z.array(z.enum(ROLES)).min(1, faults.roles);

/** Without a code, a person with passkeys uses one in the next step. */
export const signInForm = z.object({
  email,
  password: z.string().min(1, faults.password),
  code: z.union([z.literal(''), code], { error: faults.code }),
});
export const codeForm = z.object({ code });
export const passkeyForm = z.object({ name });

export const invitationForm = (address: string) =>
  z.object({
    name,
    password: z
      .string()
      .min(12, faults.passwordShort)
      .max(256, faults.passwordLong)
      .refine(text => text.toLowerCase() !== address.toLowerCase(), faults.passwordIsEmail),
    code,
  });

export const inviteForm = z.object({ email, name, roles });
export const rolesForm = z.object({ roles });
export const reasonForm = z.object({
  reason: z.string().trim().min(3, faults.reason).max(256, faults.reasonLong),
});
export const noteForm = z.object({
  text: z.string().trim().min(1, faults.note).max(2000, faults.noteLong),
  complaint: z.boolean(),
});

/** Spaces, dashes and brackets are allowed; the server knows the ranges. `#17` is the number of a case. */
export const numberForm = z.object({
  number: z
    .string()
    .transform(text => text.replace(/[\s().-]/g, ''))
    .pipe(z.string().regex(/^((\+?27|0)\d{9}|#\d{1,12})$/, faults.number)),
});

/** A form checked by a schema: on submit first, then while a fault is corrected. */
export function useChecked<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
  defaultValues: DefaultValues<Input>,
): UseFormReturn<Input, unknown, Output> {
  return useForm<Input, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues,
    reValidateMode: 'onChange',
  });
}

/** Shows a refusal beside the fields that it names, and the rest above the button. */
export function showRefusal<Input extends FieldValues, Output extends FieldValues>(
  form: UseFormReturn<Input, unknown, Output>,
  error: unknown,
  inputOf: (field: string) => string = field => field,
): void {
  const named = Object.entries(fieldErrors(error)).map(
    ([field, message]) => [inputOf(field), message] as const,
  );
  const known = named.filter(([field]) => field in form.getValues());
  known.forEach(([field, message], at) => {
    form.setError(field as Path<Input>, { type: 'server', message }, { shouldFocus: at === 0 });
  });
  if (known.length > 0) return;
  const minutes = minutesToWait(error);
  const wait = minutes === undefined ? '' : ` ${words.signIn.wait({ minutes })}`;
  const offline = error instanceof TypeError ? words.common.offline : words.common.failed;
  form.setError('root', { type: 'server', message: messageOf(error, offline) + wait });
}
