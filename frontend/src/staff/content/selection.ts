/** The records that a person chose in a list. They stay chosen while the list is filtered. */

import { type KeyboardEvent, useState } from 'react';
import type { CatalogueRecord } from '../../shared/contract/staff';

export type Selection = {
  records: CatalogueRecord[];
  has: (record: CatalogueRecord) => boolean;
  set: (records: CatalogueRecord[], chosen: boolean) => void;
  clear: () => void;
};

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<number, CatalogueRecord>>(new Map());
  return {
    records: [...chosen.values()],
    has: ({ id }) => chosen.has(id),
    set: (records, on) =>
      setChosen(before => {
        const next = new Map(before);
        for (const record of records)
          if (on) next.set(record.id, record);
          else next.delete(record.id);
        return next;
      }),
    clear: () => setChosen(new Map()),
  };
}

/** `x` selects the row that has the focus. */
export function selectByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = document.activeElement?.closest('[data-row]');
  row?.querySelector<HTMLInputElement>('[data-select]')?.click();
}
