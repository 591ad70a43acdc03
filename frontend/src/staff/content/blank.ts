/** What the form of a new record begins with. */
import { z } from 'zod';
import type { CatalogueKind } from '../../shared/contract/staff';
import { slugOf } from './fields';
import type { Fields } from './types';

/** The fields of a record that an uploaded film fills in. */
export const FILM_FIELDS = ['media', 'image', 'duration_s', 'bytes', 'captions'] as const;

const Chosen = z.object({ film: z.record(z.string(), z.unknown()), name: z.string() });

/** The time now where one must be given, and a film with the title of its file. */
export function blankOf(kind: CatalogueKind, state: unknown): Fields {
  const { film, name = '' } = Chosen.safeParse(state).data ?? {};
  const title = name.replace(/\.[^.]*$/, '');
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const blank: Fields = {
    ...Object.fromEntries(FILM_FIELDS.map(field => [field, film?.[field]])),
    [kind.title]: title,
    slug: slugOf(title),
  };
  for (const { name: field, form, required } of kind.fields)
    if (form === 'DateTime' && required) blank[field] = now;
  return blank;
}
