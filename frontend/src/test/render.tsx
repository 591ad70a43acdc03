/** Renders the whole application at an address. */
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router';
import { queryClient } from '../api/query-client';
import { App } from '../app';
import type { Brand } from '../brand';
import { comedyBrand, serveBrand } from './brands';

/** `container`: the element to render into, such as a server-rendered #root. */
export function openPage(address: string, brand: Brand = comedyBrand, container?: HTMLElement) {
  serveBrand(brand);
  const client = queryClient();
  client.clear();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retryDelay: 1 } });
  const shown: Shown = { address };
  render(
    <MemoryRouter initialEntries={[address]}>
      <App />
      <AddressBar shown={shown} />
    </MemoryRouter>,
    { container },
  );
  return {
    user: userEvent.setup(),
    address: () => shown.address,
    /** Goes to another page within the tab. */
    go: (to: string) => act(() => shown.navigate?.(to)),
  };
}

type Shown = { address: string; navigate?: NavigateFunction };

function AddressBar({ shown }: { shown: Shown }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    shown.address = pathname + search;
    shown.navigate = navigate;
  });
  return null;
}
