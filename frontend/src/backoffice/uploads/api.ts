/** The calls about uploads; `sending` has those of the tus protocol. */
import { queryOptions } from '../../api/query-client';
import { client } from '../api';
import { call } from '../client';
import type { Upload } from './types';

const KEY = ['uploads'];

const BUSY = ['waiting', 'transcoding', 'checking'];

export const uploadsQuery = queryOptions({
  queryKey: KEY,
  queryFn: () => call<{ uploads: Upload[]; possible: boolean }>('GET', '/api/uploads'),
  // The server works on them.
  refetchInterval: ({ state }) =>
    state.data?.uploads.some(upload => BUSY.includes(upload.state)) ? 1500 : 15_000,
});

export const readUploadsAgain = (): Promise<void> => client.invalidateQueries({ queryKey: KEY });

export const choosePoster = (id: number, still: number): Promise<Upload> =>
  call('POST', `/api/uploads/${id}/poster`, { still });

export const stillAddress = (id: number, still: number): string => `/api/uploads/${id}/stills/${still}`;
