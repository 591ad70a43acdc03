/** Screens over a mocked network: refusals beside the fields, the session's end, the second person, masked numbers. */

import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { openBackOffice } from '../dev/back-office';
import { server } from '../dev/server';
import type { Role } from '../shared/contract/staff';
import { client } from './api';

const staffOf = (roles: Role[]) => ({ id: 1, email: 'sipho@example.test', name: 'Sipho', roles });
const record = {
  ref: 'opaque',
  masked: '+27 81 *** **34',
  month_spend_cents: 6300,
  blocked: null,
  subscriptions: [],
  timeline: [
    {
      at: '2026-11-03T04:00:00Z',
      service: 'raceday',
      kind: 'charge',
      text: 'Charged',
      cents: 6000,
      ledger_id: 7,
      refundable: true,
      open_cents: 6000,
    },
    {
      at: '2026-11-02T04:00:00Z',
      service: 'raceday',
      kind: 'charge',
      text: 'Charged',
      cents: 300,
      ledger_id: 6,
      refundable: true,
      open_cents: 300,
    },
  ],
  notes: [],
  refund_limit_cents: 5000,
  refund_left_cents: 4700,
};
/** What the service answers. */
const outcome = (state: string, charges: number, cents: number) =>
  HttpResponse.json({ state, charges, cents, refused: [] });

function open(path: string, roles?: Role[]) {
  server.use(
    http.get('/api/session', () =>
      roles
        ? HttpResponse.json({ staff: staffOf(roles) })
        : HttpResponse.json({ error_message: 'x' }, { status: 401 }),
    ),
    http.get('/api/approvals', () => HttpResponse.json({ approvals: [] })),
    http.get('/api/support/cases', () => HttpResponse.json([])),
    http.get('/api/erasures', () => HttpResponse.json({ erasures: [] })),
    http.get('/api/sign-in', () => HttpResponse.json({ provider: 'Imitated Login' })),
    http.get('/api/sign-in/link', () => HttpResponse.json({ provider: 'Imitated Login', linked: false })),
    http.get('/api/passkeys', () => HttpResponse.json({ available: true, passkeys: [] })),
    http.get('/api/overview', () =>
      HttpResponse.json({
        subscribers: null,
        money: null,
        operations: null,
        undecided_publishers: null,
        pauses: null,
      }),
    ),
  );
  return openBackOffice(path);
}

beforeEach(() => client.clear());

async function signIn(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('E-mail address'), 'sipho@example.test');
  await user.type(screen.getByLabelText('Password'), 'a long password');
  await user.type(screen.getByLabelText('Code of the authenticator app'), '123456');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('a sign-in without a code goes on with the second factor, and a refusal there says so', async () => {
  const { user } = open('/sign-in');
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/session', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ passkey: null }, { status: 202 });
    }),
    http.post('/api/session/second-factor', async ({ request }) => {
      bodies.push(await request.json());
      return bodies.length < 3
        ? HttpResponse.json({ error_message: 'The code is wrong.' }, { status: 401 })
        : HttpResponse.json({ staff: staffOf(['support']) });
    }),
  );
  await user.type(await screen.findByLabelText('E-mail address'), 'sipho@example.test');
  await user.type(screen.getByLabelText('Password'), 'a long password');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'Confirm that it is you' });
  await user.type(screen.getByLabelText('Code of the authenticator app'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Use the code' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The code is wrong.');
  expect(screen.getByLabelText('Code of the authenticator app')).toHaveValue('');
  await user.type(screen.getByLabelText('Code of the authenticator app'), '654321');
  await user.click(screen.getByRole('button', { name: 'Use the code' }));
  expect(await screen.findByRole('heading', { name: 'Hello, Sipho' })).toBeVisible();
  expect(bodies).toEqual([
    { email: 'sipho@example.test', password: 'a long password', code: '' },
    { code: '123456' },
    { code: '654321' },
  ]);
});

test('single sign-on says why it led back, and that it does not answer', async () => {
  const { user } = open('/sign-in?failure=cancelled');
  server.use(
    http.post('/api/sign-in/provider', () =>
      HttpResponse.json({ error_message: 'Single sign-on does not answer.' }, { status: 503 }),
    ),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('You did not agree');
  await user.click(await screen.findByRole('button', { name: 'Sign in with Imitated Login' }));
  expect(await screen.findByText('Single sign-on does not answer.')).toBeVisible();
});

test('an invitation is accepted by single sign-on, with a name and a code and without a password', async () => {
  const left: unknown[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation(address => void left.push(address));
  server.use(
    http.get('/api/invitations/secret', () =>
      HttpResponse.json({
        email: 'sipho@example.test',
        name: '',
        roles: ['support'],
        totp_secret: 'JBSWY3DPEHPK3PXP',
        totp_url: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP',
        resets: false,
      }),
    ),
    http.post('/api/invitations/secret/provider', async ({ request }) => {
      left.push(await request.json());
      return HttpResponse.json({ address: 'https://login.example/authorize' });
    }),
  );
  const { user } = open('/invitation/secret');
  const submit = await screen.findByRole('button', { name: 'Use Imitated Login instead of a password' });
  await user.click(submit);
  expect(await screen.findByText('Enter a name.')).toBeVisible();
  await user.type(screen.getByLabelText('Your name'), 'Sipho');
  await user.type(screen.getByLabelText('Code that the app shows'), '123456');
  await waitFor(() => expect(screen.queryByText('Enter a name.')).toBeNull());
  expect(screen.queryByText('Enter the six digits of your authenticator app.')).toBeNull();
  await user.click(submit);
  await waitFor(() => expect(left).toHaveLength(2));
  expect(left).toEqual([{ name: 'Sipho', code: '123456' }, 'https://login.example/authorize']);
});

test('a second step that has ended leads back to signing in', async () => {
  server.use(
    http.get('/api/session/second-factor', () => HttpResponse.json({ error_message: 'x' }, { status: 404 })),
  );
  open('/sign-in/second-factor');
  expect(await screen.findByRole('alert')).toHaveTextContent('Please begin again.');
});

test('a screen without a session leads to signing in, and back to the whole address', async () => {
  const { user, router } = open('/sessions?of=today');
  server.use(
    http.post('/api/session', () => HttpResponse.json({ staff: staffOf(['support']) })),
    http.get('/api/sessions', () => HttpResponse.json({ sessions: [] })),
  );
  await signIn(user);
  expect(await screen.findByRole('heading', { name: 'My sessions' })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/sessions', search: '?of=today' });
});

test('a screen that throws keeps the navigation, and the next address shows its screen', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  server.use(http.get('/api/sessions', () => HttpResponse.json({ sessions: [null] })));
  const { user } = open('/sessions', ['support']);
  expect(await screen.findByRole('alert')).toHaveTextContent('This screen failed');
  await user.click(screen.getByRole('link', { name: 'Start' }));
  expect(await screen.findByRole('heading', { name: 'Hello, Sipho' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refused sign-in says so, how long to wait, and empties the code', async () => {
  const { user } = open('/');
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

test('a session that ended elsewhere opens the sign-in over the screen', async () => {
  server.use(http.get('/api/sessions', () => HttpResponse.json({ error_message: 'x' }, { status: 401 })));
  open('/sessions', ['support']);
  expect(await screen.findByRole('dialog', { name: 'Sign in again' })).toBeVisible();
});

test('an invitation shows a refused field beside the field', async () => {
  const { user } = open('/staff', ['administrator']);
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

test('a role that another administrator requested is given, and an own request waits', async () => {
  const { user } = open('/staff', ['administrator']);
  const decisions: unknown[] = [];
  const requested = { requested_by: 'ann@example.test', requested_at: '2026-11-28T08:00:00Z' };
  const member = {
    id: 7,
    email: 'zola@example.test',
    name: 'Zola',
    roles: ['editor'],
    waiting: [
      { ...requested, role: 'support', mine: false },
      { ...requested, role: 'finance', mine: true },
    ],
    state: 'active',
    locked_until: null,
    last_seen_at: null,
  };
  server.use(
    http.get('/api/staff', () => HttpResponse.json({ staff: [member] })),
    http.post('/api/staff/7/role', async ({ request }) => {
      decisions.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  expect(await screen.findByText('Support: waits')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Edit Zola' }));
  expect(screen.getByRole('checkbox', { name: /^Support/ })).toBeChecked();
  expect(screen.queryByRole('button', { name: 'Give Finance' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Give Support' }));
  await waitFor(() => expect(decisions).toEqual([{ role: 'support', accept: true }]));
});

test('a dossier has a reason', async () => {
  const { user } = open('/', ['support']);
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/support/search', () => HttpResponse.json(record)),
    http.post('/api/support/opaque/dossier', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({});
    }),
  );
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/0815551234{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Dossier as JSON' }));
  const dialog = screen.getByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Download' }));
  expect(await within(dialog).findByText('Give a reason of at least three characters.')).toBeVisible();
  expect(bodies).toEqual([]);
  await user.type(within(dialog).getByLabelText('Reason'), 'A complaint');
  await user.click(within(dialog).getByRole('button', { name: 'Download' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ format: 'json', reason: 'A complaint' }]);
});

test('a call that needs the second factor again asks for it over the form, and is sent once more by itself', async () => {
  const { user } = open('/', ['support']);
  const bodies: unknown[] = [];
  const codes: unknown[] = [];
  server.use(
    http.post('/api/support/search', () => HttpResponse.json(record)),
    http.post('/api/support/opaque/refund', async ({ request }) => {
      bodies.push(await request.json());
      return bodies.length < 3
        ? HttpResponse.json(
            { type: 'urn:spaza:problem:second-factor', error_message: 'Please confirm it again.' },
            { status: 403 },
          )
        : outcome('made', 1, 300);
    }),
    http.post('/api/second-factor', () => HttpResponse.json({ passkey: null })),
    http.post('/api/session/second-factor', async ({ request }) => {
      codes.push(await request.json());
      return codes.length < 2
        ? HttpResponse.json({ error_message: 'The code is wrong.' }, { status: 401 })
        : HttpResponse.json({ staff: staffOf(['support']) });
    }),
  );
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/0815551234{Enter}');
  await user.click(await screen.findByRole('button', { name: /^Give back R3 of / }));
  await user.type(screen.getByLabelText('Reason'), 'Asked by phone');
  await user.click(screen.getByRole('button', { name: 'Give it back' }));

  // Closed, it leaves the form with what was typed, and says why.
  const title = { name: 'Confirm that it is you' };
  await user.click(within(await screen.findByRole('dialog', title)).getByRole('button', { name: 'Close' }));
  expect(await screen.findByText('Please confirm it again.')).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveValue('Asked by phone');

  await user.click(screen.getByRole('button', { name: 'Give it back' }));
  const dialog = await screen.findByRole('dialog', title);
  for (const code of ['123456', '654321']) {
    await user.type(within(dialog).getByLabelText('Code of the authenticator app'), code);
    await user.click(within(dialog).getByRole('button', { name: 'Use the code' }));
    if (code === '123456')
      expect(await within(dialog).findByRole('alert')).toHaveTextContent('The code is wrong.');
  }
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual(Array(3).fill({ ledger_ids: [6], reason: 'Asked by phone' }));
  expect(codes).toEqual([{ code: '123456' }, { code: '654321' }]);
});

test('a number is looked up by /, sent in the body, and stays out of address and page', async () => {
  const { user, router } = open('/', ['support']);
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/support/search', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(record);
    }),
  );
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/081 555 1234{Enter}');
  expect(await screen.findByText('+27 81 *** **34')).toBeVisible();
  expect(bodies).toEqual([{ number: '0815551234' }]);
  expect(JSON.stringify(router.state.location)).not.toContain('5551234');
  expect(document.body.innerHTML).not.toContain('0815551234');
});

test('an open case is looked up by its number, and closed with a reason', async () => {
  const { user } = open('/support', ['support']);
  const bodies: unknown[] = [];
  const one = { id: 17, masked: '+27 81 *** **34', service: 'MC Funny', day: '2026-11-29', cents: 300 };
  server.use(
    http.get('/api/support/cases', () =>
      HttpResponse.json([{ ...one, text: 'To be decided', at: '2026-11-29T10:00:00Z' }]),
    ),
    http.post('/api/support/cases/17/close', async ({ request }) => {
      bodies.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
    http.post('/api/support/search', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(record);
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Close case 17' }));
  const dialog = screen.getByRole('dialog');
  await user.type(within(dialog).getByRole('textbox'), 'Called back');
  await user.click(within(dialog).getByRole('button', { name: 'Close the case' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Open the record of case 17' }));
  await waitFor(() => expect(bodies).toEqual([{ reason: 'Called back' }, { number: '#17' }]));
});

test('a refund above the limit says that a second person is needed, and sends its reason', async () => {
  const { user } = open('/', ['support']);
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/support/search', () => HttpResponse.json(record)),
    http.post('/api/support/opaque/refund', async ({ request }) => {
      bodies.push(await request.json());
      return outcome('waits', 1, 6000);
    }),
  );
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/0815551234{Enter}');
  await user.click(await screen.findByRole('button', { name: /^Give back R3 of / }));
  expect(screen.getByText(/Of R50 in 24 hours, R47 can still go back/)).toBeVisible();
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: /^Give back R60 of / }));
  const dialog = screen.getByRole('dialog');
  expect(
    within(dialog).getByText(/A second person confirms this first: of R50 in 24 hours, R47 can/),
  ).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Give it back' }));
  expect(await within(dialog).findByText('Give a reason of at least three characters.')).toBeVisible();
  expect(bodies).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Asked by phone' }));
  await user.click(within(dialog).getByRole('button', { name: 'Give it back' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ ledger_ids: [7], reason: 'Asked by phone' }]);
});

test('90 charges of a brand are given back by four clicks, with one sum and one reason', async () => {
  const { user } = open('/', ['support']);
  const bodies: { ledger_ids: number[] }[] = [];
  const charge = (id: number, service: string) => ({
    ...record.timeline[1],
    at: new Date(Date.UTC(2026, 9, 1, 4) + id * 86_400_000).toISOString(),
    service,
    ledger_id: id,
  });
  const timeline = [
    ...Array.from({ length: 90 }, (_, id) => charge(id + 1, 'comedy')),
    charge(91, 'raceday'),
    { ...charge(92, 'comedy'), refundable: false, given_back: 'waits' },
    { ...charge(93, 'comedy'), refundable: false, open_cents: 0, given_back: 'whole' },
  ];
  server.use(
    http.post('/api/support/search', () => HttpResponse.json({ ...record, timeline })),
    http.post('/api/support/opaque/refund', async ({ request }) => {
      bodies.push((await request.json()) as { ledger_ids: number[] });
      return outcome('waits', 90, 27000);
    }),
  );
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/0815551234{Enter}');
  await user.selectOptions(await screen.findByLabelText('Brand'), 'comedy');
  await user.click(screen.getByText('Choose all 90 charges, R270'));
  expect(screen.getByText('90 charges chosen', { exact: false })).toHaveTextContent('R270');
  // One less, and again.
  await user.click(screen.getAllByLabelText(/^Choose R3 of /)[0] as HTMLElement);
  expect(screen.getByText('89 charges chosen', { exact: false })).toHaveTextContent('R267');
  await user.click(screen.getByText('Choose all 90 charges, R270'));
  await user.click(screen.getByText('Give back R270'));
  const dialog = screen.getByRole('dialog', { name: 'Give back R270?' });
  expect(within(dialog).getByText(/^comedy: 90 charges, R270, /)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Does not remember joining' }));
  await user.click(within(dialog).getByRole('button', { name: 'Give it back' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toHaveLength(1);
  expect(new Set(bodies[0]?.ledger_ids)).toEqual(new Set(Array.from({ length: 90 }, (_, id) => id + 1)));
  // What waits or is given back looks so, without a button.
  for (const [state, cents] of [
    ['Waits for a second person', 'R3'],
    ['Given back', 'R3'],
  ] as const) {
    const row = screen.getByText(state).closest('li') as HTMLElement;
    expect(row).toHaveTextContent(cents);
    expect(within(row).queryByRole('button')).toBeNull();
    expect(within(row).queryByRole('checkbox')).toBeNull();
  }
});

test('a note that is not saved is asked for before another number is looked up', async () => {
  const { user } = open('/', ['support']);
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/support/search', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(record);
    }),
  );
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/0815551234{Enter}');
  const note = await screen.findByLabelText('Note');
  await user.type(note, 'Called twice.');
  await user.type(screen.getByRole('textbox', { name: 'Look up a mobile number' }), '0815555678{Enter}');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(note).toHaveValue('Called twice.');
  expect(bodies).toHaveLength(1);
});
