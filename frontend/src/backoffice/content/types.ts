/** Requests and replies of the calls of editors. Times of records are UTC, `YYYY-MM-DD HH:MM:SS`. */
export type FieldKind = {
  name: string;
  /** The name of its type, `Title`. */
  form: string;
  required: boolean;
  /** The kind of the record that it names by its slug. */
  refers_to: string | null;
  schema: { pattern?: string; maxLength?: number };
  /** The field and the language of a translation, whose name is `video_name.zu`. */
  translation?: { field: string; language: string } | null;
};
export type Kind = { kind: string; parent: string | null; title: string; fields: FieldKind[] };
export type Catalogue = {
  catalogue: string;
  /** Null where the service does not answer. */
  content: { services: string[]; kinds: Kind[] } | null;
};

export const VISIBILITIES = ['listed', 'scheduled', 'expired', 'unlisted', 'deleted'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export type Fields = Record<string, string | number | null>;
export type CatalogueRecord = {
  id: number;
  slug: string;
  title: string;
  visibility: Visibility;
  /** Whether it was taken down: imports do not change its state. */
  held: boolean;
  record: Fields;
};
export type RecordPage = { records: CatalogueRecord[]; next: string | null };

export type HistoryEvent = {
  at: string;
  who: string;
  action: string;
  reason: string;
  /** The id of an import's change. */
  change: number | null;
  before: Fields | null;
};

export type Draft = {
  id: number;
  catalogue: string;
  service: string;
  kind: string;
  slug: string;
  record: Fields;
  /** The record when the draft was begun; null for a new one. */
  base: Fields | null;
  state: 'draft' | 'review' | 'publishing';
  version: number;
  by: string;
  at: string;
  mine: boolean;
  /** Why it was sent back. */
  reason: string;
  returned_by: string | null;
};

export type RecordHistory = {
  live: CatalogueRecord | null;
  events: HistoryEvent[];
  /** Whether the changes go back to the record's beginning. */
  is_complete: boolean;
  /** For how many months changes are kept; 0 for a record that is not published. */
  kept_months: number;
  draft: Draft | null;
};

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
/** How many records lack a translation. */
export type TranslationCounts = { records: number; languages: { language: string; missing: number }[] };
