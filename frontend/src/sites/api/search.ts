/** Search in the services: one call per query, and results in pages like any list. */
import type { Address } from './client';
import { listQuery } from './list';

/** Results per page: as many as the document holds at a time (EndlessList.tsx). */
export const SEARCH_LIMIT = 60;

/** The results of a search, best first. The list's name is the query. */
export const searchQuery = <T extends { id: number }>(path: Address<T[]>, words: string) =>
  listQuery<T[], T>(path, {
    name: () => words,
    nextOfEmbedded: (address, { length }) =>
      length < SEARCH_LIMIT ? undefined : `${address}&after=${length}`,
  });

/** How many items the search page shows of a list before a letter is typed, and how many of one that goes on. */
export const FEW = 8;
export const NEXT_FEW = 24;
