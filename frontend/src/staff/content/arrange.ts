/** The order of a list as a person moves its records, and the records that it changes. */
import type { CatalogueKind, CatalogueRecord } from '../../shared/contract/staff';
import { recordOf, valuesOf } from './fields';
import type { Place } from './types';

export const hasPositions = ({ fields }: CatalogueKind): boolean =>
  fields.some(({ name }) => name === 'position');

const positionOf = ({ record }: CatalogueRecord): number | null => Number(record.position ?? 0) || null;

/** A list with a row at a place, also one that was not in it. */
export function placed<T extends { id: number }>(list: readonly T[], row: T, place: number): T[] {
  const rest = list.filter(({ id }) => id !== row.id);
  return [...rest.slice(0, place), row, ...rest.slice(place)];
}

/** A row that is put at a place; the record itself where it comes from behind those that are shown. */
export type Step = { id: number; to: number; row?: CatalogueRecord };

/** A list after some steps. One whose record is there no more is left out. */
export const replayed = (list: readonly CatalogueRecord[], steps: readonly Step[]): CatalogueRecord[] =>
  steps.reduce<CatalogueRecord[]>(
    (order, { id, to, row = order.find(each => each.id === id) }) => (row ? placed(order, row, to) : order),
    [...list],
  );

/** Whether there are no further rows with a position: all that follow are by id, whatever happens before them. */
export const hasAllPositions = (records: readonly CatalogueRecord[], least: number): boolean => {
  const last = records.at(-1);
  return records.length >= least && last !== undefined && positionOf(last) === null;
};

/**
 * The records that get another position, with it. Positions count from 1 as far as the order is not that of ids; behind them records need none.
 * `before` may end before the list does, where no record has a position any more; `after` may have a record of what follows.
 */
export function repositioned(
  before: readonly CatalogueRecord[],
  after: readonly CatalogueRecord[],
): { record: CatalogueRecord; position: number }[] {
  // Compared from the end, which a record from behind does not move.
  const shift = after.length - before.length;
  const last = after.reduce(
    (found, record, place) =>
      record.id !== before[place - shift]?.id || positionOf(record) !== null ? place : found,
    -1,
  );
  return after
    .slice(0, last + 1)
    .map((record, place) => ({ record, position: place + 1 }))
    .filter(({ record, position }) => positionOf(record) !== position);
}

/** A file of these records with their positions, as JSON Lines. */
export const linesOf = (
  kind: CatalogueKind,
  { service, kind: name }: Place,
  changed: { record: CatalogueRecord; position: number }[],
): string =>
  changed
    .map(({ record: { record }, position }) => ({
      service,
      kind: name,
      ...recordOf(kind, { ...valuesOf(kind, record), position: String(position) }),
    }))
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');
