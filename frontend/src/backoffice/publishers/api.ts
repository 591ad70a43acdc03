/** The calls about publishers. */
import { infiniteQueryOptions } from '../../api/query-client';
import { client } from '../api';
import { call } from '../client';
import type { PublisherFilter, PublisherPage } from './types';

export const publishersQuery = (filter: PublisherFilter) =>
  infiniteQueryOptions({
    queryKey: ['publishers', filter],
    queryFn: ({ pageParam }) => {
      const given = Object.entries({ ...filter, offset: pageParam }).filter(([, value]) => value !== '');
      return call<PublisherPage>('GET', `/api/publishers?${new URLSearchParams(given)}`);
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => (next === null ? undefined : String(next)),
    // While a search is typed, the last rows stay.
    placeholderData: (before: { pages: PublisherPage[]; pageParams: string[] } | undefined) => before,
  });

export const evidenceAddress = (format: 'json' | 'csv', ext_ref: string, month: string): string =>
  `/api/publishers/evidence.${format}?${new URLSearchParams({ ext_ref, month })}`;

export const holdPublisher = (ext_ref: string, reason: string): Promise<unknown> =>
  call('POST', '/api/publishers/hold', { ext_ref, reason });
export const releasePublisher = (ext_ref: string, reason: string): Promise<unknown> =>
  call('POST', '/api/publishers/release', { ext_ref, reason });

/** After a decision, the list and the start screen are read again. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['publishers'] }),
    client.invalidateQueries({ queryKey: ['overview'] }),
  ]);
}
