/** The calls of files: a list as a CSV, the upload of a file, what it changes, and applying exactly that. */

import type {
  RecordDifference,
  UploadedFile,
  UploadedImport,
  UploadedImportDifference,
} from '../../shared/contract/staff';
import { ApiProblem } from '../../shared/http/problem';
import { infiniteQueryOptions, queryOptions } from '../../shared/http/queries';
import { client } from '../api';
import { addressOf, call } from '../client';
import { importPath } from '../paths';
import { words } from '../words';
import type { ListFilter } from './types';

export const ACTIONS = ['added', 'changed', 'removed'] as const;
export type Action = (typeof ACTIONS)[number];

/** The address of a list as a CSV: all its rows, in its order. */
export const exportAddress = ({ catalogue, kind, ...query }: ListFilter): string =>
  addressOf('GET /api/content/{catalogue}/{kind}/export.csv', { path: { catalogue, kind }, query });

/** The files of this tab, by import: each is hashed once more before it is applied. */
const files = new Map<string, File>();
const keyOf = (catalogue: string, id: number | string): string => `${catalogue}/${id}`;

export async function uploadFile(
  { catalogue, service }: { catalogue: string; service: string },
  file: File,
  prune: boolean,
): Promise<UploadedFile> {
  const uploaded = await call('POST /api/content/{catalogue}/imports', {
    path: { catalogue },
    query: { service, file: file.name, prune },
    body: file,
  });
  if (uploaded.import !== null) files.set(keyOf(catalogue, uploaded.import), file);
  return uploaded;
}

/** Uploads lines of records; the address of what they change. */
export async function uploadLines(
  place: { catalogue: string; service: string },
  name: string,
  lines: BlobPart,
): Promise<string> {
  return addressOfDifference(place.catalogue, await uploadFile(place, new File([lines], name), false));
}

/** Where the difference of what was staged is; its first problem is an error. */
export function addressOfDifference(catalogue: string, { import: made, problems }: UploadedFile): string {
  if (made !== null) return importPath(catalogue, made);
  const [{ field, message } = { field: null, message: words.common.failed }] = problems;
  throw new ApiProblem(422, { error_message: field ? `${field} ${message}` : message });
}

export const waitingQuery = queryOptions({
  queryKey: ['content', 'imports'],
  queryFn: async ({ signal }) => (await call('GET /api/content/imports', { signal })).imports,
  refetchInterval: 30_000,
});

export const differenceQuery = (catalogue: string, id: string) =>
  queryOptions({
    queryKey: ['content', 'import', catalogue, id],
    queryFn: ({ signal }) =>
      call('GET /api/content/{catalogue}/imports/{id}', { path: { catalogue, id }, signal }),
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
    queryFn: ({ pageParam: after, signal }) =>
      call('GET /api/content/{catalogue}/imports/{id}/differences', {
        path: { catalogue, id },
        query: { kind, action, after, limit: 50 },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** All records of one kind that a file adds or changes. */
export async function recordsOf(
  catalogue: string,
  id: string,
  difference: string,
  kind: string,
  action: Action,
): Promise<RecordDifference[]> {
  const { pages } = await client.fetchInfiniteQuery({
    ...recordsQuery(catalogue, id, difference, kind, action),
    pages: Number.MAX_SAFE_INTEGER,
  });
  return pages.flatMap(page => page.differences);
}

const changed = () => new ApiProblem(409, { error_message: words.files.difference.fileChanged });

/** The hash of the file as it is now; that of the upload where the file was chosen in another tab, or the browser computes none. */
async function hashNow(catalogue: string, { id, sha256 }: UploadedImport): Promise<string> {
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
  shown: UploadedImportDifference,
  removals: number | null,
): Promise<unknown> {
  const { import: file, difference } = shown;
  const sha256 = await hashNow(catalogue, file);
  if (sha256 !== file.sha256) throw changed();
  try {
    return await call('POST /api/content/{catalogue}/imports/{id}/apply', {
      path: { catalogue, id: file.id },
      body: { sha256, difference, removals },
    });
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

export const discardFile = (catalogue: string, id: string) =>
  call('DELETE /api/content/{catalogue}/imports/{id}', { path: { catalogue, id } });
