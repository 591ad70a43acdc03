/** The back office at an address, as main.tsx starts it. */
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { QueryClientProvider } from '../api/query-client';
import { client } from '../backoffice/api';
import { routes } from '../backoffice/app';

export function openBackOffice(path = '/') {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    { reactStrictMode: true },
  );
  return { user: userEvent.setup(), router };
}
