import { expect, test, vi } from 'vitest';
import type { CatalogueKind } from '../../shared/contract/staff';
import { blankOf } from './blank';

const field = (name: string, form: string, required = true) => ({
  name,
  form,
  required,
  refers_to: null,
  schema: {},
  translation: null,
});

const KIND = {
  kind: 'video',
  title: 'video_name',
  parent: null,
  fields: [
    field('slug', 'Slug'),
    field('video_name', 'Title'),
    field('datetime', 'DateTime'),
    field('expires_at', 'DateTime', false),
  ],
} as unknown as CatalogueKind;

test('a new record has the time now, and nothing else', () => {
  vi.setSystemTime(Date.UTC(2026, 10, 30, 22, 5, 9));
  expect(blankOf(KIND, undefined)).toEqual({ datetime: '2026-11-30 22:05:09', video_name: '', slug: '' });
  expect(blankOf(KIND, { film: 'x' })).toMatchObject({ video_name: '' });
});

test('a film of the uploads begins a record with the title of its file', () => {
  const film = {
    media: 'm/f/master.m3u8',
    image: 'https://i/f.webp',
    duration_s: 125,
    bytes: 9,
    captions: null,
  };
  expect(blankOf(KIND, { film, name: "Môre is nog 'n dag.mp4" })).toMatchObject({
    ...film,
    video_name: "Môre is nog 'n dag",
    slug: 'more-is-nog-n-dag',
  });
  expect(blankOf(KIND, { film, name: 'no ending' })).toMatchObject({ video_name: 'no ending' });
});
