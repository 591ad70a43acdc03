/** The calls about a person's rights to their data. */
import { queryOptions, useQuery } from '../../api/query-client';
import { client } from '../api';
import { call, download } from '../client';
import type { Erasure, ErasurePreview } from './types';

/** An open erasure goes on by itself: it is looked at again after this time. */
const OPEN_MS = 3000;
/** Another person may have asked or decided meanwhile. */
const IDLE_MS = 30_000;

const ofRecord = (ref: string, what: string): string => `/api/support/${encodeURIComponent(ref)}/${what}`;
const ofErasure = (id: number): string => `/api/erasures/${encodeURIComponent(id)}`;

export const exportData = (ref: string, format: 'json' | 'pdf', reason: string): Promise<void> =>
  download(ofRecord(ref, 'export'), { format, reason }, `personal-data.${format}`);

export const previewQuery = (ref: string) =>
  queryOptions({
    queryKey: ['erasure-preview', ref],
    queryFn: () => call<ErasurePreview>('GET', ofRecord(ref, 'erasure')),
    gcTime: 0,
  });
export const requestErasure = (ref: string, reason: string): Promise<{ state: 'waiting' | 'open' }> =>
  call('POST', ofRecord(ref, 'erasure'), { reason });

export const erasuresQuery = queryOptions({
  queryKey: ['erasures'],
  queryFn: async () => (await call<{ erasures: Erasure[] }>('GET', '/api/erasures')).erasures,
  refetchInterval: ({ state }) => (state.data?.some(each => each.state === 'open') ? OPEN_MS : IDLE_MS),
});
/** How many erasures wait for the reader's decision. */
export function useWaitingErasures(): number {
  const { data = [] } = useQuery(erasuresQuery);
  return data.filter(({ state, mine }) => state === 'waiting' && !mine).length;
}
export const decideErasure = async (id: number, accept: boolean, reason: string): Promise<void> => {
  await call('POST', ofErasure(id), { accept, reason });
  await client.invalidateQueries(erasuresQuery);
};
export const letterAddress = (id: number): string => `${ofErasure(id)}/letter.txt`;
