/** The order of a list: what a move changes, and the file that it makes. */

import { expect, test } from 'vitest';
import type { CatalogueKind, CatalogueRecord } from '../../shared/contract/staff';
import { hasAllPositions, hasPositions, linesOf, placed, replayed, repositioned } from './arrange';
import { artistKind } from './artist-kind';

const kind: CatalogueKind = {
  ...artistKind,
  fields: [
    ...artistKind.fields,
    { name: 'position', form: 'Count', required: false, refers_to: null, translation: null, schema: {} },
  ],
};
const record = (id: number, position?: number): CatalogueRecord => ({
  id,
  slug: `a-${id}`,
  title: `A ${id}`,
  visibility: 'listed',
  held: false,
  record: {
    slug: `a-${id}`,
    artist: `A ${id}`,
    image: 'https://a/b',
    state: 'listed',
    ...(position !== undefined && { position }),
  },
});
const positions = (before: CatalogueRecord[], from: number, to: number) =>
  repositioned(before, replayed(before, [{ id: before[from]?.id ?? 0, to }])).map(
    ({ record: { id }, position }) => [id, position],
  );

test('steps are replayed on a list, but for rows that are there no more', () => {
  const list = [1, 2, 3].map(id => record(id));
  const steps = [
    { id: 3, to: 0 },
    { id: 7, to: 1 },
    { id: 9, to: 1, row: record(9) },
    { id: 9, to: 3 },
  ];
  expect(replayed(list, steps).map(({ id }) => id)).toEqual([3, 1, 2, 9]);
});

test('records get positions as far as the order is not that of ids', () => {
  const plain = [1, 2, 3, 4].map(id => record(id));
  expect(positions(plain, 2, 0)).toEqual([
    [3, 1],
    [1, 2],
    [2, 3],
  ]);
  expect(positions(plain, 0, 0)).toEqual([]);
});

test('records that have positions keep them where the order around them is the same', () => {
  const ordered = [record(3, 1), record(1, 2), record(2, 3), record(4)];
  expect(positions(ordered, 1, 2)).toEqual([
    [2, 2],
    [1, 3],
  ]);
  expect(positions(ordered, 3, 0)).toEqual([
    [4, 1],
    [3, 2],
    [1, 3],
    [2, 4],
  ]);
  // Positions with gaps are counted anew.
  expect(positions([record(1, 5), record(2, 9)], 0, 0)).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('a record from behind gets a position, and those before it', () => {
  const plain = [1, 2, 3, 4].map(id => record(id));
  const brought = (place: number) =>
    repositioned(plain, placed(plain, record(9), place)).map(({ record: { id }, position }) => [
      id,
      position,
    ]);
  expect(brought(0)).toEqual([[9, 1]]);
  expect(brought(2)).toEqual([
    [1, 1],
    [2, 2],
    [9, 3],
  ]);
  // At the end of what is known, others would stand before it by their ids.
  expect(brought(4)).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [9, 5],
  ]);
  // Brought to two places, and moved on.
  const twice = placed(placed(plain, record(9), 2), record(9), 0);
  expect(repositioned(plain, twice).map(({ record: { id } }) => id)).toEqual([9]);
  const two = placed(placed(plain, record(9), 0), record(8), 1);
  expect(repositioned(plain, two).map(({ record: { id } }) => id)).toEqual([9, 8]);
});

test('all rows with a position are known once one has none', () => {
  expect(hasAllPositions([record(1, 1), record(2)], 2)).toBe(true);
  expect(hasAllPositions([record(1, 1), record(2)], 3)).toBe(false);
  expect(hasAllPositions([record(1, 1), record(2, 2)], 2)).toBe(false);
  expect(hasAllPositions([], 0)).toBe(false);
});

test('the file has whole records with their new positions', () => {
  expect(hasPositions(kind)).toBe(true);
  expect(hasPositions(artistKind)).toBe(false);
  const place = { catalogue: 'comedy', service: 'MC Funny', kind: 'artist' };
  expect(linesOf(kind, place, [{ record: record(7), position: 1 }])).toBe(
    `${JSON.stringify({
      service: 'MC Funny',
      kind: 'artist',
      slug: 'a-7',
      artist: 'A 7',
      image: 'https://a/b',
      state: 'listed',
      position: 1,
    })}\n`,
  );
});
