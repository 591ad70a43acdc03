/** The calls of editors and publishers. */

import type { CatalogueRecord, CatalogueRecords, Draft, SaveOrder } from '../../shared/contract/staff';
import { infiniteQueryOptions, queryOptions } from '../../shared/http/queries';
import { client } from '../api';
import { call } from '../client';
import type { ListFilter, Place } from './types';

export const kindsQuery = queryOptions({
  queryKey: ['content', 'kinds'],
  queryFn: async ({ signal }) => (await call('GET /api/content/kinds', { signal })).catalogues,
  staleTime: 60_000,
});

/** The parts of a record's address. */
const recordOf = ({ catalogue, kind, service }: Place, slug: string) => ({
  path: { catalogue, kind, slug },
  query: { service },
});

const listOf = (
  { catalogue, kind, ...filter }: Place & Partial<ListFilter>,
  more: { limit: number; after?: string },
  signal?: AbortSignal,
) =>
  call('GET /api/content/{catalogue}/{kind}/records', {
    path: { catalogue, kind },
    query: { ...filter, ...more },
    ...(signal && { signal }),
  });

export const listQuery = (filter: Place & Partial<ListFilter>) =>
  infiniteQueryOptions({
    queryKey: ['content', 'list', filter],
    queryFn: ({ pageParam: after, signal }) => listOf(filter, { after, limit: 100 }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    // While a search is typed, the last rows stay.
    placeholderData: (before: { pages: CatalogueRecords[]; pageParams: string[] } | undefined) => before,
  });

/** All records of a list, page by page. */
export async function allRecords(filter: ListFilter): Promise<CatalogueRecord[]> {
  const all: CatalogueRecord[] = [];
  let after: string | null = '';
  do {
    const page: CatalogueRecords = await listOf(filter, { after, limit: 200 });
    all.push(...page.records);
    after = page.next;
  } while (after !== null);
  return all;
}

/** How many records lack translations, by language. */
export const missingQuery = ({ catalogue, kind, service }: Place) =>
  queryOptions({
    queryKey: ['content', 'missing', catalogue, kind, service],
    queryFn: ({ signal }) =>
      call('GET /api/content/{catalogue}/{kind}/translations', {
        path: { catalogue, kind },
        query: { service },
        signal,
      }),
  });

/** Records whose slugs a field may name. */
export const choicesQuery = (place: Place, q: string) =>
  queryOptions({
    queryKey: ['content', 'choices', place, q],
    queryFn: async ({ signal }) => (await listOf({ ...place, q }, { limit: 20 }, signal)).records,
  });

/** Rows of a list that visitors see, by their words or their slug. */
export const rowsQuery = (place: Place, q: string) =>
  queryOptions({
    queryKey: ['content', 'rows', place, q],
    queryFn: async ({ signal }) =>
      (await listOf({ ...place, q, state: 'listed' }, { limit: 20 }, signal)).records,
    enabled: q !== '',
  });

export const recordQuery = (place: Place, slug: string) =>
  queryOptions({
    queryKey: ['content', 'record', place, slug],
    queryFn: ({ signal }) =>
      call('GET /api/content/{catalogue}/{kind}/records/{slug}', { ...recordOf(place, slug), signal }),
  });

/** A link that shows a draft, a record or a file on the brand's site. */
export const previewRecord = (place: Place, slug: string) =>
  call('POST /api/content/{catalogue}/{kind}/records/{slug}/preview', recordOf(place, slug));
export const previewFile = (catalogue: string, id: number) =>
  call('POST /api/content/{catalogue}/imports/{id}/preview', { path: { catalogue, id } });

export const draftsQuery = queryOptions({
  queryKey: ['content', 'drafts'],
  queryFn: async ({ signal }) => (await call('GET /api/content/drafts', { signal })).drafts,
  // Another person may have submitted one meanwhile.
  refetchInterval: 30_000,
});

export const saveDraft = ({ catalogue, kind, service }: Place, form: Omit<SaveOrder, 'service'>) =>
  call('POST /api/content/{catalogue}/{kind}/drafts', {
    path: { catalogue, kind },
    body: { service, ...form },
  });
export const submitDraft = ({ id, version }: Draft) =>
  call('POST /api/content/drafts/{id}/submit', { path: { id }, body: { version } });
export const sendBack = ({ id, version }: Draft, reason: string) =>
  call('POST /api/content/drafts/{id}/return', { path: { id }, body: { version, reason } });
export const publishDraft = ({ id, version }: Draft) =>
  call('POST /api/content/drafts/{id}/publish', { path: { id }, body: { version } });
/** Drafts that wait for a publisher together; the address of what they change. */
export const makeRelease = (drafts: Draft[], name: string, publish_at: string | null) =>
  call('POST /api/content/releases', {
    body: { name, drafts: drafts.map(({ id, version }) => ({ id, version })), publish_at },
  });
export const discardDraft = ({ id }: Draft) => call('DELETE /api/content/drafts/{id}', { path: { id } });
export const undoChange = (place: Place, slug: string, change: number) =>
  call('POST /api/content/{catalogue}/{kind}/records/{slug}/undo', {
    ...recordOf(place, slug),
    body: { change },
  });
export const changeState = (
  { catalogue, kind, service }: Place,
  slug: string,
  state: string,
  reason: string,
) =>
  call('POST /api/content/{catalogue}/{kind}/records/{slug}/state', {
    path: { catalogue, kind, slug },
    body: { service, state, reason },
  });

/** After a change, everything of content is read again. */
export const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: ['content'] });
