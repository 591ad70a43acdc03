/** The back office at an address, as main.tsx starts it. */
import { fireEvent, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { QueryClientProvider } from '../sites/api/query-client';
import { client } from '../staff/api';
import { routes } from '../staff/app';

export function openBackOffice(path = '/') {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), router };
}

/** Types letter by letter, without a pause that a slow machine would make. */
export function typeAtOnce(field: HTMLElement, text: string): void {
  for (let end = 1; end <= text.length; end += 1)
    fireEvent.change(field, { target: { value: text.slice(0, end) } });
}
