/** Which columns a person chose for a kind of record; the browser remembers them. */

import { useState } from 'react';
import type { CatalogueKind } from '../../shared/contract/staff';

const keyOf = (kind: CatalogueKind): string =>
  `content.columns.${kind.fields.map(({ name }) => name).join(' ')}`;
const DEFAULT = ['parent', 'slug', 'datetime', 'created_at'];

function read(kind: CatalogueKind): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(kind)) ?? 'null');
    if (Array.isArray(kept)) return kept.filter(name => typeof name === 'string');
  } catch {
    // Without storage, or with what is no list: the usual columns.
  }
  return DEFAULT;
}

export function useColumns(kind: CatalogueKind): [string[], (columns: string[]) => void] {
  const [columns, setColumns] = useState(() => read(kind));
  const choose = (chosen: string[]): void => {
    setColumns(chosen);
    try {
      localStorage.setItem(keyOf(kind), JSON.stringify(chosen));
    } catch {
      // They hold until the screen is left.
    }
  };
  return [columns, choose];
}
