/** Searches by the services: one call for a query, and its results go on like any list. */
import { listQuery } from './list';
import type { QueryKey } from './query-client';

/** As many results as are in the document at a time. */
const RESULTS = 60;

/** What a search finds, best first, under the words that were looked for. */
export const searchQuery = <T extends { id: number }>(queryKey: QueryKey, path: string, words: string) =>
  listQuery<T[], T>([...queryKey, words], `${path}?q=${encodeURIComponent(words)}&limit=${RESULTS}`, {
    name: () => words,
  });
