/** Search in the services: one call per query, and results in pages like any list. */
import { listQuery } from './list';
import type { QueryKey } from './query-client';

/** Results per page: as many as the document holds at a time (EndlessList.tsx). */
const PAGE_SIZE = 60;

/** The results of a search, best first. The list's name is the query. */
export const searchQuery = <T extends { id: number }>(queryKey: QueryKey, path: string, words: string) =>
  listQuery<T[], T>([...queryKey, words], `${path}?q=${encodeURIComponent(words)}&limit=${PAGE_SIZE}`, {
    name: () => words,
    nextOfEmbedded: (address, { length }) => (length < PAGE_SIZE ? undefined : `${address}&after=${length}`),
  });
