/** The calls about publishers. */

import type { PublisherPage } from '../../shared/contract/staff';
import { infiniteQueryOptions } from '../../shared/http/queries';
import { client } from '../api';
import { addressOf, call } from '../client';

type PublisherFilter = { month: string; svc_id: string; held: string; sort: string; q: string };

export const publishersQuery = (filter: PublisherFilter) =>
  infiniteQueryOptions({
    queryKey: ['publishers', filter],
    queryFn: ({ pageParam: offset, signal }) =>
      call('GET /api/publishers', { query: { ...filter, offset }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null ? undefined : String(next)),
    // While a search is typed, the last rows stay.
    placeholderData: (before: { pages: PublisherPage[]; pageParams: string[] } | undefined) => before,
  });

export const evidenceAddress = (format: 'json' | 'csv', ext_ref: string, month: string): string =>
  addressOf(`GET /api/publishers/evidence.${format}`, { query: { ext_ref, month } });

export const holdPublisher = (ext_ref: string, reason: string) =>
  call('POST /api/publishers/hold', { body: { ext_ref, reason } });
export const releasePublisher = (ext_ref: string, reason: string) =>
  call('POST /api/publishers/release', { body: { ext_ref, reason } });

/** After a decision, the list and the start screen are read again. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['publishers'] }),
    client.invalidateQueries({ queryKey: ['overview'] }),
  ]);
}
