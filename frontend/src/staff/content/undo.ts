/** Undoing a file: the records that it changes, as they were before it, are a file again. */

import type { CatalogueKind, UploadedImportDifference } from '../../shared/contract/staff';
import { call } from '../client';
import { words } from '../words';
import { recordOf, valuesOf } from './fields';
import { recordsOf } from './imports';

/** The file that brings back what was there. */
export type Undo = { catalogue: string; service: string; name: string; text: string };

/** Each record is read by a request of its own. */
const MOST = 200;

/** Read before the file is applied. None where it adds or removes records, or changes more than the most. */
export async function undoOf(
  catalogue: string,
  { import: file, changes, difference }: UploadedImportDifference,
  kinds: CatalogueKind[],
): Promise<Undo | undefined> {
  const count = changes.reduce((sum, { changed }) => sum + changed, 0);
  if (count === 0 || count > MOST || changes.some(({ added, removed }) => added + removed > 0)) return;
  const { service } = file;
  const lines: string[] = [];
  for (const kind of kinds.filter(each => changes.some(({ kind, changed }) => kind === each.kind && changed)))
    for (const slug of await recordsOf(catalogue, String(file.id), difference, kind.kind)) {
      const { live } = await call('GET /api/content/{catalogue}/{kind}/records/{slug}', {
        path: { catalogue, kind: kind.kind, slug },
        query: { service },
      });
      if (!live) return;
      const record = recordOf(kind, valuesOf(kind, live.record));
      lines.push(`${JSON.stringify({ service, kind: kind.kind, ...record })}\n`);
    }
  const name = words.files.undo.file({ file: file.file.replace(/\.[a-z]+$/, '') });
  return { catalogue, service, name: `${name}.jsonl`, text: lines.join('') };
}
