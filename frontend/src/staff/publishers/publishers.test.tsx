/** The list of publishers over a mocked network: shares, search and pages, evidence, and the decisions of an administrator. */

import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice, typeAtOnce } from '../../dev/back-office';
import { server } from '../../dev/server';
import type { PublisherLine, PublisherPage } from '../../shared/contract/staff';
import { client } from '../api';
import { monthsOf } from './PublishersScreen';

const line = (ext_ref: string, change: Partial<PublisherLine> = {}): PublisherLine => ({
  ext_ref,
  svc_id: 150,
  service: 'memeworld',
  tries: 1200,
  held: 300,
  codes: 290,
  passed_by_code: 12,
  confirmed: 900,
  left_early: 90,
  refunded: 9,
  held_basis_points: 2400,
  left_basis_points: 1000,
  refunded_basis_points: 100,
  hold: null,
  ...change,
});

const limits = {
  state: 'held',
  reason: '26 of 50 joins',
  made_by: 'limits',
  at: '2026-11-25T08:00:00Z',
} as const;

const page: PublisherPage = {
  month: '2026-11',
  this_month: '2026-11',
  kept_months: 14,
  is_enforced: true,
  services: [{ svc_id: 150, service: 'memeworld' }],
  publishers: [
    line(''),
    line('bad ad&1', { hold: limits }),
    line('freed', { hold: { ...limits, state: 'released', made_by: 'zola@example.test' } }),
  ],
  next: null,
};

let requested: string[] = [];

beforeEach(() => {
  client.clear();
  requested = [];
});

function open(roles: string[], path = '/publishers', reply: Partial<PublisherPage> = {}) {
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles } }),
    ),
    http.get('/api/approvals', () => HttpResponse.json({ approvals: [] })),
    http.get('/api/erasures', () => HttpResponse.json({ erasures: [] })),
    http.get('/api/publishers', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      requested.push(search);
      const second = searchParams.has('offset') && { publishers: [line('last')], next: null };
      return HttpResponse.json({ ...page, ...reply, ...second });
    }),
  );
  return openBackOffice(path).user;
}

const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr') as HTMLElement;

test('finance sees counts, shares and holds, and downloads the evidence', async () => {
  open(['finance']);
  const row = await rowOf('bad ad&1');
  expect(row).toHaveTextContent(/1\s200.*900.*290.*12 typed.*300.*24\s%.*90.*10\s%.*9.*1\s%/);
  expect(row).toHaveTextContent('Since 25 Nov 2026, 10:00, by the limits26 of 50 joins');
  expect(await rowOf('freed')).toHaveTextContent(/Released.*by zola@example.test/);
  const evidence = within(row).getByRole('link', { name: 'Evidence against bad ad&1 as JSON' });
  expect(evidence).toHaveAttribute(
    'href',
    '/api/publishers/evidence.json?ext_ref=bad%20ad%261&month=2026-11',
  );
  const csv = within(row).getByRole('link', { name: 'Evidence against bad ad&1 as CSV' });
  expect(csv).toHaveAttribute('href', '/api/publishers/evidence.csv?ext_ref=bad%20ad%261&month=2026-11');
  expect(screen.queryByRole('button', { name: /^(Hold|Keep|Release)/ })).toBeNull();
  expect(screen.queryByText(/JOIN_SIGNALS/)).toBeNull();
});

test('filters, order and search are of the server, and so are pages', async () => {
  const user = open(['support'], '/publishers?held=true', { next: 100 });
  await rowOf('bad ad&1');
  expect([...new Set(requested)]).toEqual(['?held=true']);
  await user.selectOptions(screen.getByLabelText('Order'), 'Share held');
  await user.selectOptions(screen.getByLabelText('Brand'), 'memeworld');
  await user.selectOptions(screen.getByLabelText('Month'), 'October 2026');
  typeAtOnce(screen.getByRole('searchbox', { name: 'Search' }), 'ad');
  await waitFor(() => expect(requested.at(-1)).toBe('?month=2026-10&svc_id=150&held=true&sort=held&q=ad'));
  expect(requested.filter(query => query.includes('q='))).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'More publishers' }));
  await waitFor(() => expect(requested.at(-1)).toContain('&offset=100'));
  expect(await screen.findByText('last')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'More publishers' })).toBeNull();
});

test('an administrator keeps a publisher held or releases it, with a reason', async () => {
  const user = open(['administrator'], '/publishers', { is_enforced: false });
  const sent: unknown[] = [];
  for (const decision of ['hold', 'release'])
    server.use(
      http.post(`/api/publishers/${decision}`, async ({ request }) => {
        sent.push(decision, await request.json());
        return new HttpResponse(null, { status: 204 });
      }),
    );
  expect(within(await rowOf('Without a publisher')).queryByRole('button')).toBeNull();
  expect(screen.getByText(/Joins are only counted here/)).toBeVisible();
  for (const [button, title, submit, reason] of [
    ['Keep bad ad&1 held', 'Hold bad ad&1?', 'Hold the publisher', 'Its page has a script'],
    ['Release bad ad&1', 'Release bad ad&1?', 'Release the publisher', 'The script is gone'],
  ] as const) {
    await user.click(await screen.findByRole('button', { name: button }));
    const dialog = screen.getByRole('dialog', { name: title });
    await user.click(within(dialog).getByRole('button', { name: submit }));
    expect(await within(dialog).findByText(/at least three/i)).toBeVisible();
    await user.type(within(dialog).getByLabelText('Reason'), reason);
    await user.click(within(dialog).getByRole('button', { name: submit }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(sent).toEqual([
    'hold',
    { ext_ref: 'bad ad&1', reason: 'Its page has a script' },
    'release',
    { ext_ref: 'bad ad&1', reason: 'The script is gone' },
  ]);
  expect(screen.getByRole('button', { name: 'Hold freed' })).toBeVisible();
});

test('an empty list says that a filter is why', async () => {
  open(['finance'], '/publishers?held=true', { publishers: [] });
  expect(await screen.findByText('No publisher matches these filters.')).toBeVisible();
});

test('the screen is not for editors', async () => {
  open(['editor']);
  expect(await screen.findByText('Your roles do not include this screen.')).toBeVisible();
});

test('months go back as far as counts are kept', () => {
  expect(monthsOf({ this_month: '2026-02', kept_months: 2 })).toEqual(['2026-02', '2026-01', '2025-12']);
});
