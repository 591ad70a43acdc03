/** Finance's screens over a mocked network: closing a month, what stands in its way, terms, and accepting a list. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice } from '../../dev/back-office';
import { server } from '../../dev/server';
import { client } from '../api';

const sum = (entries: number) => ({ entries, cents: entries * 300 });
const figures = {
  charged: sum(4),
  failed: sum(1),
  given_back: sum(1),
  open: sum(0),
  income_cents: 900,
  vat_cents: 117,
  net_cents: 783,
  shares: [{ party: 'Network', cents: 392 }],
  own_cents: 391,
};
const line = {
  ...figures,
  day: '2026-10-01',
  svc_id: 150,
  service: 'memeworld',
  network: 'pull',
  price_cents: 300,
  correction_of: null,
};
const book = {
  month: '2026-10',
  state: 'over',
  closed: null,
  obstacles: [] as string[],
  income_cents: 900,
  days: [line],
  lines: [{ ...line, day: '' }],
  total: figures,
  drifts: [] as unknown[],
};
const held = {
  day: '2026-10-03',
  network: 'pull',
  state: 'held',
  listed: 2,
  agreed: 1,
  settled: 5,
  differences: 4,
  cause: '',
};

const assignments = {
  assignments: [] as { day: string; network: string; staff_id: number }[],
  colleagues: [
    { id: 2, name: 'Themba' },
    { id: 1, name: 'Zola' },
  ],
};

const subscriberDay = (day: string, joins: number, leaves: number, running: number | null) => ({
  day,
  svc_id: 150,
  service: 'memeworld',
  network: 'pull',
  price_cents: 300,
  joins,
  leaves,
  running,
});
const subscribers = [subscriberDay('2026-10-01', 1204, 3, null), subscriberDay('2026-10-02', 0, 4, 1197)];

beforeEach(() => {
  client.clear();
  assignments.assignments = [];
});

function open(path: string, roles = ['finance']) {
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles } }),
    ),
    http.get('/api/approvals', () => HttpResponse.json({ approvals: [] })),
    http.get('/api/erasures', () => HttpResponse.json({ erasures: [] })),
    http.get('/api/finance/months', () =>
      HttpResponse.json({
        months: [
          { month: '2026-11', state: 'running', closed: null },
          { month: '2026-10', state: 'over', closed: null },
        ],
        brands: [{ svc_id: 150, service: 'memeworld', network: 'pull' }],
      }),
    ),
    http.get('/api/finance/books/2026-10', () => HttpResponse.json(book)),
    http.get('/api/finance/subscribers/:month', ({ params }) =>
      HttpResponse.json({ days: params.month === '2026-10' ? subscribers : [] }),
    ),
    http.get('/api/finance/differences', () => HttpResponse.json({ days: [held] })),
    http.get('/api/finance/assignments', () => HttpResponse.json(assignments)),
    http.get('/api/finance/terms', () => HttpResponse.json({ vat: [], terms: [] })),
  );
  return openBackOffice(path).user;
}

test('the month that waits is shown, and closed with the income that was seen', async () => {
  const user = open('/books');
  let sent: unknown;
  server.use(
    http.post('/api/finance/books/2026-10/close', async ({ request }) => {
      sent = await request.json();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Close month' }));
  const dialog = screen.getByRole('dialog', { name: 'Close October 2026?' });
  expect(dialog).toHaveTextContent('R9.00');
  // A day of the month waits for its network's list.
  await waitFor(() => expect(dialog).toHaveTextContent('1 day of this month'));
  await user.click(within(dialog).getByRole('button', { name: 'Close the month' }));
  await waitFor(() => expect(sent).toEqual({ income_cents: 900 }));
});

test('what stands in the way of closing is named, and a drift is shown', async () => {
  open('/books?month=2026-10');
  const drift = { ...line, closed: figures, now: { ...figures, given_back: sum(2) }, entered_in: null };
  server.use(
    http.get('/api/finance/books/2026-10', () =>
      HttpResponse.json({ ...book, obstacles: ['2 charges have no outcome yet.'], drifts: [drift] }),
    ),
  );
  expect(await screen.findByText(/It cannot be closed now: 2 charges have no outcome yet/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Close month' })).toBeNull();
  const lines = screen.getByRole('table', { name: 'Lines that differ' });
  expect(lines).toHaveTextContent('R12.00 charged, R6.00 given back');
});

test('by day, each day is a row', async () => {
  const user = open('/books');
  await user.click(await screen.findByRole('radio', { name: 'By day' }));
  expect(within(screen.getByRole('table', { name: 'By day' })).getByText('Thu 1 Oct')).toBeVisible();
});

test('joins, leaves and running subscriptions are a chart', async () => {
  const user = open('/books');
  expect(await screen.findByText(/^Joins: 1\s204, at most 1\s204 \(Thu 1 Oct\)\. Leaves: 7/)).toBeVisible();
  await user.selectOptions(screen.getByLabelText('Subscribers by'), 'Running by brand');
  expect(
    await screen.findByText(/^memeworld: 1\s197 at the end, at most 1\s197 \(Fri 2 Oct\)\./),
  ).toBeVisible();
});

test('a month stands beside the month before, by brand, network and price', async () => {
  open('/books?month=2026-11');
  const running = {
    ...book,
    month: '2026-11',
    state: 'running',
    lines: [{ ...line, charged: sum(6), day: '' }],
  };
  server.use(http.get('/api/finance/books/2026-11', () => HttpResponse.json(running)));
  const table = await screen.findByRole('table', { name: 'Beside October 2026' });
  const [, all, brand] = within(table).getAllByRole('row');
  for (const row of [all, brand])
    expect(row).toHaveTextContent(/R18\.00R12\.00 before.*R7\.83R7\.83 before.*not counted1\s197 before/);
  expect(brand).toHaveTextContent('memeworldpull · R3.00');
  expect(screen.getByText(/This month is not over/)).toBeVisible();
});

test('a term is sent in hundredths of a percent, and a refusal stands beside its field', async () => {
  const user = open('/terms');
  let sent: unknown;
  server.use(
    http.post('/api/finance/terms', async ({ request }) => {
      sent = await request.json();
      const errors = { since: 'This month is closed: choose a later day.' };
      return HttpResponse.json({ error_message: 'x', errors }, { status: 422 });
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Add a term' }));
  const dialog = screen.getByRole('dialog', { name: 'Add a contract term' });
  await user.click(within(dialog).getByRole('button', { name: 'Add the term' }));
  expect(await within(dialog).findByText('Choose a network.')).toBeVisible();
  await user.selectOptions(within(dialog).getByLabelText('Network'), 'pull');
  await user.selectOptions(within(dialog).getByLabelText('Brand'), 'memeworld');
  await user.type(within(dialog).getByLabelText('Party'), 'Licensor');
  await user.type(within(dialog).getByLabelText('Percent of net'), '12,5');
  await user.click(within(dialog).getByRole('button', { name: 'Add the term' }));
  expect(await within(dialog).findByText(/This month is closed/)).toBeVisible();
  expect(sent).toMatchObject({ network: 'pull', svc_id: 150, party: 'Licensor', basis_points: 1250 });
});

test('a list that waits is accepted with a reason', async () => {
  const user = open('/differences');
  let sent: unknown;
  server.use(
    http.post('/api/finance/differences/2026-10-03', async ({ request }) => {
      sent = await request.json();
      const found = { kind: 'never_charged', repair: 'countered', ledger_id: 1, masked: '27••••••678' };
      return HttpResponse.json({
        day: '2026-10-03',
        listed: 2,
        agreed: 1,
        networks: [],
        differences: [{ ...found, svc_id: 150, cents: 300, network: 'pull' }],
        more: 0,
      });
    }),
  );
  await user.click(await screen.findByRole('button', { name: /^Accept the list of pull/ }));
  await user.type(screen.getByLabelText('Reason'), 'The network confirmed it');
  await user.click(screen.getByRole('button', { name: 'Accept and repair' }));
  expect(await screen.findByText('Settled here, never charged')).toBeVisible();
  expect(sent).toEqual({ accept: true, reason: 'The network confirmed it' });
});

test('a day is given to a person of finance, and the list shows the own days alone', async () => {
  const user = open('/differences');
  server.use(
    http.put('/api/finance/differences/2026-10-03/assignment', async ({ request }) => {
      const { network, staff_id } = (await request.json()) as { network: string; staff_id: number };
      assignments.assignments = [{ day: '2026-10-03', network, staff_id }];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const assigned = () => screen.findByRole('combobox', { name: /^Who looks after .* with pull$/ });
  await user.selectOptions(await assigned(), 'Themba');
  await waitFor(async () => expect(await assigned()).toHaveDisplayValue('Themba'));
  await user.click(screen.getByRole('checkbox', { name: 'Show only mine' }));
  expect(await screen.findByText('Nothing is assigned to you.')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: 'Show only mine' }));
  await user.selectOptions(await assigned(), 'Zola');
  await user.click(screen.getByRole('checkbox', { name: 'Show only mine' }));
  await waitFor(async () => expect(await assigned()).toHaveDisplayValue('Zola'));
});

test('the screens are for finance alone', async () => {
  open('/books', ['support']);
  expect(await screen.findByText('Your roles do not include this screen.')).toBeVisible();
});
