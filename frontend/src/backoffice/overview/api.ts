import { queryOptions } from '../../api/query-client';
import { call } from '../client';
import type { Overview } from './types';

/** Read again every minute while the screen is open. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => call<Overview>('GET', '/api/overview'),
  refetchInterval: 60_000,
});
