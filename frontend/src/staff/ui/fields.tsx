/** Form fields: label, control, hint and fault, tied together for screen readers. */
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId, useState } from 'react';
import type { UseFormRegisterReturn } from '../forms';
import { roleNames } from '../roles';
import { ROLES } from '../types';
import { words } from '../words';
import { Button } from './Button';

export type FieldProps = {
  label: string;
  hint?: string | undefined;
  fault?: string | undefined;
  /** In a form of react-hook-form; else the control has a value of its own. */
  field?: UseFormRegisterReturn;
};

type Held = Pick<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange'>;

/** The attributes that tie hint and fault to a control. */
function useDescription(hint: string | undefined, fault: string | undefined) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return {
    id,
    control: {
      id,
      'aria-invalid': fault !== undefined,
      ...(described && { 'aria-describedby': described }),
    },
    notes: (
      <>
        {hint && (
          <p className="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        {fault && (
          <p className="fault" id={`${id}-fault`}>
            {fault}
          </p>
        )}
      </>
    ),
  };
}

export function TextField({
  label,
  hint,
  fault,
  field,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const { id, control, notes } = useDescription(hint, fault);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input {...input} {...field} {...control} />
      {notes}
    </div>
  );
}

export function SelectField({
  label,
  hint,
  fault,
  field,
  options,
  ...select
}: FieldProps & Held & { options: [value: string, text: string][] }) {
  const { id, control, notes } = useDescription(hint, fault);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select {...select} {...field} {...control}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {notes}
    </div>
  );
}

export function PasswordField({
  label,
  hint,
  fault,
  field,
  autoComplete,
}: FieldProps & { autoComplete: string }) {
  const { id, control, notes } = useDescription(hint, fault);
  const [shown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="with-button">
        <input type={shown ? 'text' : 'password'} autoComplete={autoComplete} {...field} {...control} />
        <Button
          tone="quiet"
          aria-pressed={shown}
          aria-label={`${shown ? words.common.hide : words.common.show}: ${label}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? words.common.hide : words.common.show}
        </Button>
      </div>
      {notes}
    </div>
  );
}

/** Six digits, which browsers and password managers fill in. */
export function CodeField(props: FieldProps) {
  return (
    <TextField
      {...props}
      className="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
      size={8}
    />
  );
}

export function TextArea({
  label,
  hint,
  fault,
  field,
  rows = 3,
  placeholder,
  lang,
}: FieldProps & { rows?: number; placeholder?: string; lang?: string }) {
  const { id, control, notes } = useDescription(hint, fault);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea lang={lang} rows={rows} placeholder={placeholder} {...field} {...control} />
      {notes}
    </div>
  );
}

export function RolesField({ fault, field }: { fault: string | undefined; field: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={fault && `${id}-fault`}>
      <legend>{words.staff.roles}</legend>
      <div className="choices">
        {ROLES.map(role => (
          <label key={role} className="choice">
            <input type="checkbox" value={role} {...field} />
            <span>
              <span className="strong">{roleNames([role])}</span>
              <span className="hint">{words.roleHints[role]}</span>
            </span>
          </label>
        ))}
      </div>
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** What a form was refused for, beyond its fields. */
export function FormFault({ children }: { children: ReactNode }) {
  return children ? (
    <p className="form-fault" role="alert">
      {children}
    </p>
  ) : null;
}
