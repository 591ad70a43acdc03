/** The rows that a person chose in a list. They stay chosen while the list is filtered. */

import { type KeyboardEvent, useState } from 'react';

type Row = { id: number };
export type Selection<T extends Row> = {
  records: T[];
  has: (record: Row) => boolean;
  set: (records: T[], chosen: boolean) => void;
  clear: () => void;
};

export function useSelection<T extends Row>(): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<number, T>>(new Map());
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
