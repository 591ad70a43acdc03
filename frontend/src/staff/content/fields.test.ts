/** Between records and forms: times, rules of fields, slugs, differences. */
import { expect, test } from 'vitest';
import { artistKind } from './artist-kind';
import { differences, faultOf, formFields, recordOf, slugOf, valuesOf } from './fields';

const record = {
  slug: 'gogo',
  artist: 'Gogo',
  image: 'https://a/b',
  state: 'listed',
  publish_at: '2026-12-31 22:30:00',
};

test('a form shows times in Johannesburg, and sends them so', () => {
  const values = valuesOf(artistKind, record);
  expect(values.publish_at).toBe('2027-01-01T00:30:00');
  expect(recordOf(artistKind, values)).toEqual({ ...record, publish_at: '2027-01-01T00:30:00' });
  expect(recordOf(artistKind, { ...values, publish_at: '2027-01-01T00:30' }).publish_at).toBe(
    '2027-01-01T00:30:00',
  );
  expect(recordOf(artistKind, { ...values, publish_at: '' })).not.toHaveProperty('publish_at');
});

test('a form keeps translations, and sends those that are there', () => {
  const translated = { ...record, 'description.zu': 'Uyayixoxa.' };
  const values = valuesOf(artistKind, translated);
  expect(values['description:zu']).toBe('Uyayixoxa.');
  expect(recordOf(artistKind, values)).toEqual({ ...translated, publish_at: '2027-01-01T00:30:00' });
  expect(recordOf(artistKind, { ...values, 'description:zu': '' })).not.toHaveProperty('description.zu');
  const changed = differences(artistKind, record, translated);
  expect(changed.map(({ field, after }) => [field.name, after])).toEqual([['description.zu', 'Uyayixoxa.']]);
});

test('rules are those that the service gives', () => {
  const field = (name: string) => artistKind.fields.find(each => each.name === name) as never;
  expect(faultOf(field('artist'), ' ')).toBe('This is needed.');
  expect(faultOf(field('description'), '')).toBeUndefined();
  expect(faultOf(field('slug'), 'Late Taxi')).toMatch(/lower case/);
  expect(faultOf(field('slug'), 'late-taxi')).toBeUndefined();
  const count = {
    name: 'bytes',
    form: 'Count',
    required: true,
    refers_to: null,
    translation: null,
    schema: {},
  };
  expect(['12', '-1', '1.5', 'x'].map(text => faultOf(count, text) === undefined)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(faultOf({ ...count, form: 'Title', schema: { maxLength: 2 } }, 'abc')).toBe('At most 2 characters.');
});

test('a title proposes a slug', () => {
  expect(['Gogo’s Élan -- 3rd!', ' ', 'Ṱhohoyanḓou'].map(slugOf)).toEqual([
    'gogos-elan-3rd',
    '',
    'thohoyandou',
  ]);
});

test('the slug and the schedule stand last, and only what differs is a difference', () => {
  expect(formFields(artistKind).map(({ name }) => name)).toEqual([
    'artist',
    'description',
    'image',
    'slug',
    'state',
    'publish_at',
    'expires_at',
    'description.af',
    'description.zu',
  ]);
  const { publish_at: _, ...without } = record;
  const changed = differences(artistKind, record, { ...without, artist: 'Gogo II' });
  expect(changed.map(({ field, before, after }) => [field.name, before, after])).toEqual([
    ['artist', 'Gogo', 'Gogo II'],
    ['publish_at', '2026-12-31 22:30:00', ''],
  ]);
});
