/** The calls about a person's rights to their data. */

import type { Format } from '../../shared/contract/staff';
import { queryOptions, useQuery } from '../../shared/http/queries';
import { client } from '../api';
import { addressOf, call, download } from '../client';

/** An open erasure goes on by itself: it is looked at again after this time. */
const OPEN_MS = 3000;
/** Another person may have asked or decided meanwhile. */
const IDLE_MS = 30_000;

export const exportData = (record: string, format: Format, reason: string) =>
  download(`personal-data.${format}`, 'POST /api/support/{record}/export', {
    path: { record },
    body: { format, reason },
  });

export const previewQuery = (record: string) =>
  queryOptions({
    queryKey: ['erasure-preview', record],
    queryFn: ({ signal }) => call('GET /api/support/{record}/erasure', { path: { record }, signal }),
    gcTime: 0,
  });
export const requestErasure = (record: string, reason: string) =>
  call('POST /api/support/{record}/erasure', { path: { record }, body: { reason } });

export const erasuresQuery = queryOptions({
  queryKey: ['erasures'],
  queryFn: async ({ signal }) => (await call('GET /api/erasures', { signal })).erasures,
  refetchInterval: ({ state }) => (state.data?.some(each => each.state === 'open') ? OPEN_MS : IDLE_MS),
});
/** How many erasures wait for the reader's decision. */
export function useWaitingErasures(): number {
  const { data = [] } = useQuery(erasuresQuery);
  return data.filter(({ state, mine }) => state === 'waiting' && !mine).length;
}
export const decideErasure = async (id: number, accept: boolean, reason: string): Promise<void> => {
  await call('POST /api/erasures/{id}', { path: { id }, body: { accept, reason } });
  await client.invalidateQueries(erasuresQuery);
};
export const letterAddress = (id: number): string =>
  addressOf('GET /api/erasures/{id}/letter.txt', { path: { id } });
