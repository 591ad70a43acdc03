/** Undoing a file: the records that it changes, as they were before it, and those that it adds, deleted, are a file again. */

import type { CatalogueKind, RecordDifference, UploadedImportDifference } from '../../shared/contract/staff';
import { call } from '../client';
import { words } from '../words';
import { recordOf, valuesOf } from './fields';
import { recordsOf } from './imports';
import type { Fields } from './types';

/** The file that brings back what was there. */
export type Undo = { catalogue: string; service: string; name: string; text: string };

/** The fields that a file writes. */
export const fieldsAfter = (fields: RecordDifference['fields']): Fields =>
  Object.fromEntries(fields.map(({ field, after }) => [field, after]));

/** Each record is read by a request of its own. */
const MOST = 200;

/** Read before the file is applied. None where it removes records, or changes more than the most. */
export async function undoOf(
  catalogue: string,
  { import: file, changes, difference }: UploadedImportDifference,
  kinds: CatalogueKind[],
): Promise<Undo | undefined> {
  const count = changes.reduce((sum, { added, changed }) => sum + added + changed, 0);
  if (count === 0 || count > MOST || changes.some(({ removed }) => removed > 0)) return;
  const { service } = file;
  const lines: string[] = [];
  const lineOf = (kind: CatalogueKind, record: Fields) => {
    const fields = recordOf(kind, valuesOf(kind, record));
    lines.push(`${JSON.stringify({ service, kind: kind.kind, ...fields })}\n`);
  };
  for (const kind of kinds) {
    const change = changes.find(each => each.kind === kind.kind);
    const records = async (action: 'added' | 'changed') =>
      change?.[action] ? recordsOf(catalogue, String(file.id), difference, kind.kind, action) : [];
    for (const { slug, fields } of await records('added'))
      lineOf(kind, { ...fieldsAfter(fields), slug, state: 'deleted' });
    for (const { slug } of await records('changed')) {
      const { live } = await call('GET /api/content/{catalogue}/{kind}/records/{slug}', {
        path: { catalogue, kind: kind.kind, slug },
        query: { service },
      });
      if (!live) return;
      lineOf(kind, live.record);
    }
  }
  const name = words.files.undo.file({ file: file.file.replace(/\.[a-z]+$/, '') });
  return { catalogue, service, name: `${name}.jsonl`, text: lines.join('') };
}
