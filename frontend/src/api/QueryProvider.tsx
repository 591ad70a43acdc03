/** Provides react-query to a page. It is a separate module, so that pages without react-query do not load it. */
import type { ReactNode } from 'react';
import { QueryClientProvider, queryClient } from './query-client';

export default function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient()}>{children}</QueryClientProvider>;
}
