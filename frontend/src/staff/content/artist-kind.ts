/** A kind of record for tests, as the services describe it. */
import type { CatalogueKind } from '../../shared/contract/staff';

const text = (name: string, form: string, required: boolean, pattern: string) => ({
  name,
  form,
  required,
  refers_to: null,
  translation: null,
  schema: { pattern },
});

const translated = (field: string, form: string, language: string) => ({
  ...text(`${field}.${language}`, form, false, '^($|[^=+])'),
  translation: { field, language },
});

export const artistKind: CatalogueKind = {
  kind: 'artist',
  parent: null,
  title: 'artist',
  fields: [
    text('slug', 'Slug', true, '^[a-z0-9-]+$'),
    text('artist', 'Title', true, '^[^=+](.|\\n)*$'),
    text('description', 'Words', false, '^($|[^=+])'),
    text('image', 'Image', true, '^https://\\S*$'),
    { name: 'state', form: 'State', required: false, refers_to: null, translation: null, schema: {} },
    { name: 'publish_at', form: 'DateTime', required: false, refers_to: null, translation: null, schema: {} },
    { name: 'expires_at', form: 'DateTime', required: false, refers_to: null, translation: null, schema: {} },
    translated('description', 'Words', 'af'),
    translated('description', 'Words', 'zu'),
  ],
};
