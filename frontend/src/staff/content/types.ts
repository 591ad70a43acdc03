/** What the screens of content add to the contract. Times of records are UTC, `YYYY-MM-DD HH:MM:SS`. */
import type { RecordVisibility } from '../../shared/contract/staff';

export const VISIBILITIES = [
  'listed',
  'scheduled',
  'expired',
  'unlisted',
  'deleted',
] as const satisfies RecordVisibility[];

export type Fields = Record<string, unknown>;

/** Where a list or a record is. */
export type Place = { catalogue: string; service: string; kind: string };
export type ListFilter = Place & {
  state: string;
  parent: string;
  q: string;
  sort: string;
  /** Only those without a translation into the language with this code. */
  missing: string;
};
