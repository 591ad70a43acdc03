/** Between records and forms: the rules of fields as the services give them, times in Johannesburg, and what differs. */

import { z } from 'zod';
import type { CatalogueField, CatalogueKind } from '../../shared/contract/staff';
import type { Fields } from './types';
import { words } from './words';

/** Fields of every record, which a form has at its end. */
const LAST = ['slug', 'state', 'publish_at', 'expires_at'];

/** The name of a field's input: in that of a translation, `video_name.zu`, a dot would stand for an object's field. */
export const inputOf = (name: string): string => name.replace('.', ':');

/** The fields in the order of a form, its translations last. */
export const formFields = ({ fields }: CatalogueKind): CatalogueField[] => {
  const rank = ({ name, translation }: CatalogueField) => (translation ? LAST.length : LAST.indexOf(name));
  return [...fields].sort((one, other) => rank(one) - rank(other));
};

const OFFSET_MS = 2 * 60 * 60 * 1000;

/** UTC as a record has it, in the form of ISO 8601. */
export const iso = (utc: string): string => `${utc.replace(' ', 'T')}Z`;

/** The value of a field for date and time, in Johannesburg. */
const localTime = (utc: string): string =>
  new Date(Date.parse(iso(utc)) + OFFSET_MS).toISOString().slice(0, 19);

/** What is wrong with the text of a field. */
export function faultOf({ form, required, schema }: CatalogueField, text: string): string | undefined {
  const { maxLength, pattern } = schema as { maxLength?: number; pattern?: string };
  if (text.trim() === '') return required ? words.faults.missing : undefined;
  if (maxLength !== undefined && [...text].length > maxLength) return words.faults.long({ most: maxLength });
  const valid =
    form === 'Count'
      ? /^\d{1,15}$/.test(text)
      : form === 'DateTime' || pattern === undefined || new RegExp(pattern, 'u').test(text);
  return valid ? undefined : ((words.faults.forms as Record<string, string>)[form] ?? words.faults.other);
}

/** The check of a form before it is sent; the service has the last word. */
export const formOf = (kind: CatalogueKind) =>
  z.object(
    Object.fromEntries(
      kind.fields.map(field => [
        inputOf(field.name),
        z.string().superRefine((text, context) => {
          const message = faultOf(field, text);
          if (message !== undefined) context.addIssue({ code: 'custom', message });
        }),
      ]),
    ),
  );

/** A record as the values of a form. */
export const valuesOf = ({ fields }: CatalogueKind, record: Fields): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name, form }) => {
      const value = String(record[name] ?? (name === 'state' ? 'listed' : ''));
      return [inputOf(name), form === 'DateTime' && value !== '' ? localTime(value) : value];
    }),
  );

/** The values of a form as a record of a manifest, whose times are Johannesburg's. Empty fields are left out. */
export const recordOf = ({ fields }: CatalogueKind, values: Record<string, string>): Fields =>
  Object.fromEntries(
    fields.flatMap(({ name, form }): [string, string | number][] => {
      const text = values[inputOf(name)] ?? '';
      if (text.trim() === '') return [];
      if (form === 'Count') return [[name, Number(text)]];
      // Browsers leave out seconds that are zero.
      return [[name, form === 'DateTime' && text.length === 16 ? `${text}:00` : text]];
    }),
  );

/** A key made of a title. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);

export type Difference = { field: CatalogueField; before: string; after: string };

/** The fields in which two records differ. */
export const differences = (kind: CatalogueKind, before: Fields | null, after: Fields): Difference[] =>
  formFields(kind).flatMap(field => {
    const [one, other] = [before, after].map(record => shown(field, record));
    return one === other ? [] : [{ field, before: one ?? '', after: other ?? '' }];
  });

const shown = ({ name }: CatalogueField, record: Fields | null | undefined): string =>
  String(record?.[name] ?? '');
