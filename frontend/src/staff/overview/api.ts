import { queryOptions } from '../../shared/http/queries';
import { call } from '../client';

/** Read again every minute while the screen is open. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call('GET /api/overview', { signal }),
  refetchInterval: 60_000,
});
