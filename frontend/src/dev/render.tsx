/** Renders the whole application at an address. */
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router';
import { queryClient } from '../sites/api/query-client';
import { App } from '../sites/app';
import type { Brand } from '../sites/brand';
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
      <AddressBar onShown={now => Object.assign(shown, now)} />
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

function AddressBar({ onShown }: { onShown: (shown: Shown) => void }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    onShown({ address: pathname + search, navigate });
  });
  return null;
}
