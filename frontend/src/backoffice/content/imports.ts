/** The calls of files: a list as a CSV, the upload of a file, what it changes, and applying exactly that. */
import { ApiProblem } from '../../api/problem';
import { infiniteQueryOptions, queryOptions } from '../../api/query-client';
import { client } from '../api';
import { call, upload } from '../client';
import { words } from '../words';
import type { Fields, ListFilter } from './types';

export type Change = { kind: string; added: number; changed: number; unchanged: number; removed: number };
export const ACTIONS = ['added', 'changed', 'removed'] as const;
export type Action = (typeof ACTIONS)[number];

export type WaitingFile = {
  id: number;
  service: string;
  file: string;
  sha256: string;
  who: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  at: string;
  records: number;
  prune: boolean;
};
export type Problem = { line: number; column: number | null; field: string | null; message: string };
export type Fault = { place: number; kind: string; slug: string; field: string; message: string };
export type FileDifference = {
  import: WaitingFile;
  changes: Change[];
  faults: Fault[];
  /** Names the whole difference. */
  difference: string;
  /** The number of records that go, where it has to be confirmed. */
  confirm: number | null;
};
type Value = Fields[string];
export type RecordDifference = {
  slug: string;
  title: string;
  line: number | null;
  fields: { field: string; before: Value; after: Value }[];
};
type DifferencePage = { differences: RecordDifference[]; next: string | null };

const importsOf = (catalogue: string): string => `/api/content/${encodeURIComponent(catalogue)}/imports`;
const importOf = (catalogue: string, id: string): string =>
  `${importsOf(catalogue)}/${encodeURIComponent(id)}`;

/** The address of a list as a CSV: all its rows, in its order. */
export function exportAddress(filter: ListFilter): string {
  const { catalogue, kind, ...query } = filter;
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const path = [catalogue, kind].map(encodeURIComponent).join('/');
  return `/api/content/${path}/export.csv?${new URLSearchParams(given)}`;
}

/** The files of this tab, by import: each is hashed once more before it is applied. */
const files = new Map<string, File>();
const keyOf = (catalogue: string, id: number | string): string => `${catalogue}/${id}`;

export async function uploadFile(
  { catalogue, service }: { catalogue: string; service: string },
  file: File,
  prune: boolean,
): Promise<{ import: number | null; problems: Problem[] }> {
  const query = new URLSearchParams({ service, file: file.name, prune: String(prune) });
  const uploaded = await upload<{ import: number | null; problems: Problem[] }>(
    `${importsOf(catalogue)}?${query}`,
    file,
  );
  if (uploaded.import !== null) files.set(keyOf(catalogue, uploaded.import), file);
  return uploaded;
}

export const waitingQuery = queryOptions({
  queryKey: ['content', 'imports'],
  queryFn: async () =>
    (await call<{ imports: { catalogue: string; import: WaitingFile }[] }>('GET', '/api/content/imports'))
      .imports,
  refetchInterval: 30_000,
});

export const differenceQuery = (catalogue: string, id: string) =>
  queryOptions({
    queryKey: ['content', 'import', catalogue, id],
    queryFn: () => call<FileDifference>('GET', importOf(catalogue, id)),
  });

/** The records of one kind that a file adds, changes or removes; of another difference it is another list. */
export const recordsQuery = (
  catalogue: string,
  id: string,
  difference: string,
  kind: string,
  action: Action,
) =>
  infiniteQueryOptions({
    queryKey: ['content', 'import', catalogue, id, difference, kind, action],
    queryFn: ({ pageParam: after }) => {
      const query = new URLSearchParams({ kind, action, limit: '50', ...(after && { after }) });
      return call<DifferencePage>('GET', `${importOf(catalogue, id)}/differences?${query}`);
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The slugs of all records of one kind that a file changes. */
export async function recordsOf(
  catalogue: string,
  id: string,
  difference: string,
  kind: string,
): Promise<string[]> {
  const { pages } = await client.fetchInfiniteQuery({
    ...recordsQuery(catalogue, id, difference, kind, 'changed'),
    pages: Number.MAX_SAFE_INTEGER,
  });
  return pages.flatMap(page => page.differences.map(({ slug }) => slug));
}

const changed = () => new ApiProblem(409, { error_message: words.files.difference.fileChanged });

/** The hash of the file as it is now; that of the upload where the file was chosen in another tab, or the browser computes none. */
async function hashNow(catalogue: string, { id, sha256 }: WaitingFile): Promise<string> {
  const file = files.get(keyOf(catalogue, id));
  if (!file) return sha256;
  // Browsers refuse to read a file that was changed on the disk.
  const bytes = await file.arrayBuffer().catch(() => Promise.reject(changed()));
  // Only pages of a secure context have it.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle) return sha256;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Applies what was shown. Where it has changed meanwhile, the new difference is read. */
export async function applyFile(
  catalogue: string,
  shown: FileDifference,
  removals: number | null,
): Promise<unknown> {
  const { import: file, difference } = shown;
  const sha256 = await hashNow(catalogue, file);
  if (sha256 !== file.sha256) throw changed();
  const path = `${importOf(catalogue, String(file.id))}/apply`;
  try {
    return await call('POST', path, { sha256, difference, removals });
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409)
      void client.invalidateQueries({ queryKey: ['content', 'import', catalogue] });
    throw error;
  }
}

/** After a file is gone, all lists are read again, and not the file. */
export const readListsAgain = (): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [area, what] }) => area === 'content' && what !== 'import',
  });

export const discardFile = (catalogue: string, id: string): Promise<unknown> =>
  call('DELETE', importOf(catalogue, id));
