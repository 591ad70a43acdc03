/** The calls of editors and publishers. */
import { infiniteQueryOptions, queryOptions } from '../../api/query-client';
import { client } from '../api';
import { call } from '../client';
import type {
  Catalogue,
  CatalogueRecord,
  Draft,
  Fields,
  ListFilter,
  Place,
  RecordHistory,
  RecordPage,
  TranslationCounts,
} from './types';

const PAGE = '100';

const segments = (...parts: (string | number)[]): string =>
  parts.map(part => encodeURIComponent(part)).join('/');
const recordsOf = ({ catalogue, kind }: Place): string => `/api/content/${segments(catalogue, kind)}/records`;
const recordOf = (place: Place, slug: string): string => `${recordsOf(place)}/${segments(slug)}`;
const serviceOf = ({ service }: Place): string => `?${new URLSearchParams({ service })}`;
const draftOf = (id: number, step: string): string => `/api/content/drafts/${id}/${step}`;

export const kindsQuery = queryOptions({
  queryKey: ['content', 'kinds'],
  queryFn: async () => (await call<{ catalogues: Catalogue[] }>('GET', '/api/content/kinds')).catalogues,
  staleTime: 60_000,
});

const listOf = (filter: ListFilter, more: Record<string, string>): Promise<RecordPage> => {
  const { service, state, parent, q, sort, missing } = filter;
  const given = Object.entries({ service, state, parent, q, sort, missing, ...more }).filter(
    ([, value]) => value !== '',
  );
  return call('GET', `${recordsOf(filter)}?${new URLSearchParams(given)}`);
};

export const listQuery = (filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: ['content', 'list', filter],
    queryFn: ({ pageParam }) => listOf(filter, { after: pageParam, limit: PAGE }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    // While a search is typed, the last rows stay.
    placeholderData: (before: { pages: RecordPage[]; pageParams: string[] } | undefined) => before,
  });

/** How many records lack translations, by language. */
export const missingQuery = (place: Place) =>
  queryOptions({
    queryKey: ['content', 'missing', place],
    queryFn: () =>
      call<TranslationCounts>(
        'GET',
        `/api/content/${segments(place.catalogue, place.kind)}/translations${serviceOf(place)}`,
      ),
  });

/** Records whose slugs a field may name. */
export const choicesQuery = (place: Place, q: string) =>
  queryOptions({
    queryKey: ['content', 'choices', place, q],
    queryFn: async () =>
      (await listOf({ ...place, q, state: '', parent: '', sort: '', missing: '' }, { limit: '20' })).records,
  });

/** Rows of a list that visitors see, by their words or their slug. */
export const rowsQuery = (place: Place, q: string) =>
  queryOptions({
    queryKey: ['content', 'rows', place, q],
    queryFn: async () =>
      (await listOf({ ...place, q, state: 'listed', parent: '', sort: '', missing: '' }, { limit: '20' }))
        .records,
    enabled: q !== '',
  });

export const recordQuery = (place: Place, slug: string) =>
  queryOptions({
    queryKey: ['content', 'record', place, slug],
    queryFn: () => call<RecordHistory>('GET', recordOf(place, slug) + serviceOf(place)),
  });

/** A link that shows a draft, a record or a file on the brand's site. */
export type PreviewLink = { url: string; until: string };
export const previewRecord = (place: Place, slug: string): Promise<PreviewLink> =>
  call('POST', `${recordOf(place, slug)}/preview${serviceOf(place)}`);
export const previewFile = (catalogue: string, id: number): Promise<PreviewLink> =>
  call('POST', `/api/content/${segments(catalogue, 'imports', id)}/preview`);

export const draftsQuery = queryOptions({
  queryKey: ['content', 'drafts'],
  queryFn: async () => (await call<{ drafts: Draft[] }>('GET', '/api/content/drafts')).drafts,
  // Another person may have submitted one meanwhile.
  refetchInterval: 30_000,
});

export const saveDraft = (
  { catalogue, service, kind }: Place,
  form: { record: Fields; version: number | null; new: boolean },
): Promise<Draft> => call('POST', `/api/content/${segments(catalogue, kind)}/drafts`, { service, ...form });
export const submitDraft = ({ id, version }: Draft): Promise<unknown> =>
  call('POST', draftOf(id, 'submit'), { version });
export const sendBack = ({ id, version }: Draft, reason: string): Promise<unknown> =>
  call('POST', draftOf(id, 'return'), { version, reason });
export const publishDraft = ({ id, version }: Draft): Promise<CatalogueRecord> =>
  call('POST', draftOf(id, 'publish'), { version });
export const discardDraft = ({ id }: Draft): Promise<unknown> => call('DELETE', `/api/content/drafts/${id}`);
export const undoChange = (place: Place, slug: string, change: number): Promise<Draft> =>
  call('POST', `${recordOf(place, slug)}/undo${serviceOf(place)}`, { change });
export const changeState = (place: Place, slug: string, state: string, reason: string): Promise<unknown> =>
  call('POST', `${recordOf(place, slug)}/state`, { service: place.service, state, reason });

/** After a change, everything of content is read again. */
export const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: ['content'] });
