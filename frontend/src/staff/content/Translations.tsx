/** The translations of a record in its form: a group per language, which opens by itself where a fault stands in it. */

import { useState } from 'react';
import type { CatalogueField, CatalogueKind } from '../../shared/contract/staff';
import type { UseFormRegisterReturn } from '../forms';
import { TextArea, TextField } from '../ui/fields';
import { inputOf } from './fields';
import { languageName, words } from './words';

const texts = words.record;

type Props = {
  kind: CatalogueKind;
  /** The text of an input now. */
  textOf: (input: string) => string;
  faultOf: (input: string) => string | undefined;
  register: (input: string) => UseFormRegisterReturn;
};

export function Translations({ kind, ...form }: Props) {
  const fields = kind.fields.filter(({ translation }) => translation);
  const languages = [...new Set(fields.map(({ translation }) => translation?.language ?? ''))];
  if (languages.length === 0) return null;
  return (
    <fieldset className="translations">
      <legend>{texts.translations}</legend>
      <p className="hint">{texts.translationsHint}</p>
      {languages.map(code => (
        <Language
          key={code}
          code={code}
          fields={fields.filter(({ translation }) => translation?.language === code)}
          {...form}
        />
      ))}
    </fieldset>
  );
}

type LanguageProps = Omit<Props, 'kind'> & { code: string; fields: CatalogueField[] };

function Language({ code, fields, textOf, faultOf, register }: LanguageProps) {
  const [open, setOpen] = useState(false);
  const has = (input: string) => textOf(input).trim() !== '';
  // An empty text needs no translation.
  const needed = fields.filter(({ translation }) => translation && has(translation.field));
  const missing = needed.filter(({ name }) => !has(inputOf(name))).length;
  const isFaulty = fields.some(({ name }) => faultOf(inputOf(name)));
  return (
    <details open={open || isFaulty} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        {languageName(code)}{' '}
        {needed.length > 0 && (
          <span className={missing > 0 ? 'badge warm' : 'badge good'}>
            {missing > 0 ? texts.untranslated({ count: missing }) : texts.translated}
          </span>
        )}
      </summary>
      <div className="record-fields">
        {fields.map(({ name, form, translation }) => {
          const input = inputOf(name);
          const common = {
            lang: code,
            label: words.fieldName(name),
            hint: textOf(translation?.field ?? ''),
            fault: faultOf(input),
            field: register(input),
          };
          return form === 'Words' ? (
            <TextArea key={name} {...common} />
          ) : (
            <TextField key={name} {...common} autoComplete="off" />
          );
        })}
      </div>
    </details>
  );
}
