/** Provides react-query to a page. A file of its own: pages that do not use react-query load without it. */
import type { ReactNode } from 'react';
import { QueryClientProvider, queryClient } from './query-client';

export default function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient()}>{children}</QueryClientProvider>;
}
