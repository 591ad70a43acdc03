/** The calls about uploads; `sending` has those of the tus protocol. */

import type { UploadState } from '../../shared/contract/staff';
import { queryOptions } from '../../shared/http/queries';
import { client } from '../api';
import { addressOf, call } from '../client';

const KEY = ['uploads'];

const BUSY: UploadState[] = ['waiting', 'transcoding', 'checking'];

export const uploadsQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => call('GET /api/uploads', { signal }),
  // The server works on them.
  refetchInterval: ({ state }) =>
    state.data?.uploads.some(upload => BUSY.includes(upload.state)) ? 1500 : 15_000,
});

export const readUploadsAgain = (): Promise<void> => client.invalidateQueries({ queryKey: KEY });

export const choosePoster = (id: number, still: number) =>
  call('POST /api/uploads/{id}/poster', { path: { id }, body: { still } });

export const stillAddress = (id: number, still: number): string =>
  addressOf('GET /api/uploads/{id}/stills/{still}', { path: { id, still } });
