/** The day at a glance over a mocked network: figures, hours, and what does not work, each with its remedy. */

import { render, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { server } from '../../dev/server';
import type { Operations, Overview } from '../../shared/contract/staff';
import { QueryClientProvider } from '../../shared/http/queries';
import { client } from '../api';
import { duration } from './duration';
import { OverviewPanels } from './OverviewPanels';
import { troubles } from './troubles';

const operations: Operations = {
  networks: [
    { network: 'pull', paused: false, open: 3, unknown: 0, unknown_seconds: 0, held_days: 0, failed_days: 0 },
  ],
  messages: [{ kind: 'sms', waiting: 2, oldest_seconds: 5, dead: 0 }],
  pass_overdue_seconds: 0,
  pass_open_seconds: 120,
  parked: 0,
  restored_seconds: 0,
};

const day = (day: string, joins: number, charged_cents: number) => ({
  moves: { day, joins, leaves: 1 },
  money: { day, charged_cents, given_back_cents: 300, charges: charged_cents / 300, failed: 12, open: 0 },
});
const days = [day('2026-11-26', 1204, 361_200_00), day('2026-11-25', 990, 300), day('2026-11-19', 0, 0)];

const overview: Overview = {
  subscribers: {
    now: '2026-11-26T11:00:00Z',
    counted_at: '2026-11-26T10:58:00Z',
    days: days.map(({ moves }) => moves),
    services: [{ svc_id: 150, service: 'memeworld', active: 41_000, suspended: 12, pending: 3 }],
  },
  money: {
    days: days.map(({ money }) => money),
    hours: [
      { hour: 6, charged_cents: 300, given_back_cents: 0 },
      { hour: 13, charged_cents: 600, given_back_cents: 300 },
    ],
  },
  operations,
  undecided_publishers: 0,
  pauses: [],
};

function open(reply: Overview, finance = false) {
  server.use(http.get('/api/overview', () => HttpResponse.json(reply)));
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <OverviewPanels finance={finance} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

beforeEach(() => client.clear());

test('shows the day beside yesterday and the last week', async () => {
  open(overview);
  const joins = (await screen.findByText('Joins')).parentElement as HTMLElement;
  expect(joins).toHaveTextContent(/1\s204/);
  expect(joins).toHaveTextContent('Yesterday 990');
  expect(joins).toHaveTextContent('A week ago 0');
  expect(screen.getByText('Charged', { selector: '.day-figures dt' }).parentElement).toHaveTextContent(
    /R361\s200.00/,
  );
  expect(screen.getByText('Counted at 12:58')).toBeVisible();
  expect(screen.getByText('Passes, networks and messages are in order.')).toBeVisible();
  const hours = screen.getByRole('table', { name: 'Charged by the hour' });
  expect(within(hours).getByRole('row', { name: '13:00 R6.00 R3.00' })).toBeInTheDocument();
  expect(screen.getByText(/^Charged: R9.00, at most R6.00 \(13:00\)/)).toBeVisible();
  expect(screen.getByRole('row', { name: /memeworld 41\s000 12 3/ })).toBeInTheDocument();
});

test('support sees no money', async () => {
  open({ ...overview, money: null });
  expect(await screen.findByText('Joins')).toBeVisible();
  expect(screen.queryByText('Charged')).toBeNull();
  expect(screen.queryByText('Charged by the hour')).toBeNull();
});

test('a part without a role is left out', () => {
  open({ subscribers: null, money: null, operations: null, undecided_publishers: null, pauses: null });
  expect(screen.queryByRole('heading')).toBeNull();
});

test('what does not work is named with its remedy, worst first', async () => {
  const broken: Operations = {
    networks: [
      {
        network: 'pull',
        paused: true,
        open: 0,
        unknown: 3,
        unknown_seconds: 7200,
        held_days: 1,
        failed_days: 2,
      },
    ],
    messages: [
      { kind: 'sms', waiting: 1200, oldest_seconds: 3600, dead: 1 },
      { kind: 'refund', waiting: 0, oldest_seconds: 0, dead: 2 },
    ],
    pass_overdue_seconds: 1200,
    pass_open_seconds: 7200,
    parked: 5,
    restored_seconds: 1,
  };
  const ids = troubles(broken).map(({ id }) => id);
  expect(ids).toEqual([
    'restored',
    'overdue',
    'paused pull',
    'open',
    'parked',
    'unknown pull',
    'held pull',
    'failed pull',
    'dead sms',
    'late sms',
    'dead refund',
  ]);
  open({ ...overview, operations: broken }, true);
  expect(await screen.findByText('pull does not answer: charging pauses')).toBeVisible();
  expect(screen.getByText('3 charges at pull without an outcome, the oldest for 2 hours')).toBeVisible();
  expect(screen.getByText('1 SMS was refused by a network')).toBeVisible();
  expect(screen.getByText('2 refunds were refused by a network')).toBeVisible();
  expect(screen.getByRole('link', { name: /Finance compares/ })).toHaveAttribute('href', '/differences');
  expect(screen.queryByText('Passes, networks and messages are in order.')).toBeNull();
});

test('publishers that the limits hold wait for a decision, also on the screen of finance', async () => {
  open({ ...overview, operations: null, undecided_publishers: 2 }, true);
  expect(
    await screen.findByText('2 publishers are held by the limits: no visitor of theirs can join'),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: /evidence/ })).toHaveAttribute('href', '/publishers?held=true');
});

test('paused charges are said to all, and who may resume them gets the way there', async () => {
  const pause = {
    network: '',
    svc_id: 0,
    service: '',
    reason: 'Replies are mixed up',
    made_by: 'zola@example.test',
    since: '2026-11-26T10:00:00Z',
    end: null,
  };
  const pauses = [
    { ...pause, network: 'pull' },
    { ...pause, svc_id: 150, service: 'memeworld' },
  ];
  open({ ...overview, money: null, pauses });
  const by = 'since 26 Nov 2026, 12:00 by zola@example.test: Replies are mixed up';
  expect(await screen.findByText(`Charges are paused on pull ${by}`)).toBeVisible();
  expect(screen.getByText(`Charges of memeworld are paused ${by}`)).toBeVisible();
  expect(screen.queryByRole('link', { name: /resumes them/ })).toBeNull();
  client.clear();
  open({ ...overview, operations: null, pauses: [pause] });
  expect(await screen.findByText(`All charges are paused ${by}`)).toBeVisible();
  expect(screen.getByRole('link', { name: /resumes them/ })).toHaveAttribute('href', '/charges');
});

test('what passes by itself is no trouble', () => {
  const young = {
    ...operations,
    networks: [{ ...operations.networks[0], unknown: 5, unknown_seconds: 30 }],
    pass_overdue_seconds: 60,
  } as Operations;
  expect(troubles(young)).toEqual([]);
});

test.each([
  [1, 'a minute'],
  [300, '5 minutes'],
  [7200, '2 hours'],
  [200_000, '2 days'],
])('%d seconds are %s', (seconds, text) => expect(duration(seconds)).toBe(text));
