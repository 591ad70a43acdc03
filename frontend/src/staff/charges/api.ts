/** The calls about paused charges. */

import type { ChargeOrder } from '../../shared/contract/staff';
import { queryOptions } from '../../shared/http/queries';
import { client } from '../api';
import { call } from '../client';

export const pausesQuery = queryOptions({
  queryKey: ['charges'],
  queryFn: ({ signal }) => call('GET /api/charges/pauses', { signal }),
});

export const pauseCharges = (body: ChargeOrder) => call('POST /api/charges/pause', { body });
export const resumeCharges = (body: ChargeOrder) => call('POST /api/charges/resume', { body });

/** After a change, the list and the start screen are read again. */
export async function readAgain(): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['charges'] }),
    client.invalidateQueries({ queryKey: ['overview'] }),
  ]);
}
