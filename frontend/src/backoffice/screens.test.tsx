/** Screens over a mocked network: refusals beside the fields, the session's end. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { QueryClientProvider } from '../api/query-client';
import { server } from '../test/server';
import { client } from './api';
import { App } from './app';
import type { Role } from './types';

const staffOf = (roles: Role[]) => ({ id: 1, email: 'sipho@example.test', name: 'Sipho', roles });
function open(path: string, roles?: Role[]) {
  server.use(
    http.get('/api/session', () =>
      roles
        ? HttpResponse.json({ staff: staffOf(roles) })
        : HttpResponse.json({ error_message: 'x' }, { status: 401 }),
    ),
  );
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <App />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

beforeEach(() => client.clear());

async function signIn(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('E-mail address'), 'sipho@example.test');
  await user.type(screen.getByLabelText('Password'), 'a long password');
  await user.type(screen.getByLabelText('Code of the authenticator app'), '123456');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('a screen without a session leads to signing in, and back', async () => {
  const user = open('/sessions');
  server.use(
    http.post('/api/session', () => HttpResponse.json({ staff: staffOf(['support']) })),
    http.get('/api/sessions', () => HttpResponse.json({ sessions: [] })),
  );
  await signIn(user);
  expect(await screen.findByRole('heading', { name: 'My sessions' })).toBeVisible();
});

test('a refused sign-in says so, how long to wait, and empties the code', async () => {
  const user = open('/');
  server.use(
    http.post('/api/session', () =>
      HttpResponse.json(
        { error_message: 'Too many attempts.' },
        { status: 429, headers: { 'retry-after': '840' } },
      ),
    ),
  );
  await signIn(user);
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many attempts. Try again in 14 minutes.');
  expect(screen.getByLabelText('Code of the authenticator app')).toHaveValue('');
});

test('a role has only its screens', async () => {
  open('/audit', ['support']);
  expect(await screen.findByText('Your roles do not include this screen.')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Staff' })).toBeNull();
});

test('a session that ended elsewhere leads to signing in', async () => {
  server.use(http.get('/api/sessions', () => HttpResponse.json({ error_message: 'x' }, { status: 401 })));
  open('/sessions', ['support']);
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('an invitation shows a refused field beside the field', async () => {
  const user = open('/staff', ['administrator']);
  server.use(
    http.get('/api/staff', () => HttpResponse.json({ staff: [] })),
    http.post('/api/invitations', () =>
      HttpResponse.json(
        { error_message: 'x', errors: { email: 'This address has an account.' } },
        { status: 422 },
      ),
    ),
  );
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const dialog = screen.getByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'Ann');
  await user.type(within(dialog).getByLabelText('E-mail address'), 'ann@example.test');
  await user.click(within(dialog).getByRole('button', { name: 'Make a link' }));
  expect(await within(dialog).findByText('Choose at least one role.')).toBeVisible();
  await user.click(within(dialog).getByRole('checkbox', { name: /^Support/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Make a link' }));
  expect(await within(dialog).findByText('This address has an account.')).toBeVisible();
  expect(within(dialog).getByLabelText('E-mail address')).toHaveAccessibleDescription(
    'This address has an account.',
  );
});
