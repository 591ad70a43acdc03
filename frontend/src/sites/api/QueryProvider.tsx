/** Provides react-query to a page. It is a separate module, so that pages without react-query do not load it. */
import type { ReactNode } from 'react';
import type { Page } from '../page';
import { QueryClientProvider, queryClient } from './query-client';

export default function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient()}>{children}</QueryClientProvider>;
}

/** Loads what a page shows first. */
export function prefetch({ queries = [], follow }: Page): Promise<unknown> {
  const client = queryClient();
  const loading = queries.map(query =>
    'initialPageParam' in query
      ? client.prefetchInfiniteQuery(query as never)
      : client.prefetchQuery(query as never),
  );
  return Promise.all([...loading, follow?.()]);
}
