/** Provides react-query to the routes below it. A file of its own: the other pages load without react-query. */
import { Outlet } from 'react-router';
import { QueryClientProvider, queryClient } from './query-client';

export default function QueryRoutes() {
  return (
    <QueryClientProvider client={queryClient()}>
      <Outlet />
    </QueryClientProvider>
  );
}
