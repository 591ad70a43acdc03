/** Export and erasure over a mocked network: reasons, obstacles in words, what stays, and the second person. */

import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { server } from '../../dev/server';
import type { Erasure } from '../../shared/contract/staff';
import { QueryClientProvider } from '../../shared/http/queries';
import { client } from '../api';
import { Erasures } from './Erasures';
import { PersonalData } from './PersonalData';

const record = {
  ref: 'opaque',
  masked: '27••••••678',
  month_spend_cents: 0,
  blocked: null,
  subscriptions: [],
  timeline: [],
  notes: [],
  refund_limit_cents: 5000,
  refund_left_cents: 5000,
};

const erasure: Erasure = {
  id: 4,
  masked: '27••••••678',
  reason: 'Asked by phone',
  state: 'waiting',
  requested_by: 'sipho@example.test',
  requested_at: '2026-11-26T08:00:00Z',
  decided_by: null,
  finished_at: null,
  cause: '',
  confirmed: [],
  missing: ['subscription', 'comedy', 'diski', 'meme', 'tt'],
  mine: false,
};

function show(what: React.ReactNode) {
  render(<QueryClientProvider client={client}>{what}</QueryClientProvider>);
  return userEvent.setup();
}

beforeEach(() => client.clear());

test('an export needs a reason, and is saved as a file', async () => {
  const bodies: unknown[] = [];
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  server.use(
    http.post('/api/support/opaque/export', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ number: '27812345678' });
    }),
  );
  const user = show(<PersonalData record={record} />);
  await user.click(screen.getByRole('button', { name: 'Export to print' }));
  const dialog = screen.getByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Export the data' }));
  expect(await within(dialog).findByText('Give a reason of at least three characters.')).toBeVisible();
  expect(bodies).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Asked in writing' }));
  await user.click(within(dialog).getByRole('button', { name: 'Export the data' }));
  await waitFor(() => expect(saved).toEqual(['personal-data.html']));
  expect(bodies).toEqual([{ format: 'html', reason: 'Asked in writing' }]);
});

test('an export that a service does not answer says which, and saves nothing', async () => {
  const save = vi.spyOn(URL, 'createObjectURL');
  save.mockClear();
  server.use(
    http.post('/api/support/opaque/export', () =>
      HttpResponse.json({ error_message: 'The tt service does not answer.' }, { status: 503 }),
    ),
  );
  const user = show(<PersonalData record={record} />);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const dialog = screen.getByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Asked by phone' }));
  await user.click(within(dialog).getByRole('button', { name: 'Export the data' }));
  expect(await within(dialog).findByText('The tt service does not answer.')).toBeVisible();
  expect(save).not.toHaveBeenCalled();
});

test('an erasure shows what has to be done first, and asks for nothing', async () => {
  const words = 'The subscription to memeworld runs. End it first.';
  server.use(
    http.get('/api/support/opaque/erasure', () =>
      HttpResponse.json({ obstacles: [words], kept: [], state: null }),
    ),
  );
  const user = show(<PersonalData record={record} />);
  await user.click(screen.getByRole('button', { name: 'Erase' }));
  const dialog = await screen.findByRole('dialog', { name: 'This number cannot be erased yet' });
  expect(within(dialog).getByText(words)).toBeVisible();
  expect(within(dialog).queryByLabelText('Reason')).toBeNull();
});

test('an erasure names what stays before it is asked for', async () => {
  const bodies: unknown[] = [];
  server.use(
    http.get('/api/support/opaque/erasure', () =>
      HttpResponse.json({
        obstacles: [],
        kept: [
          { what: 'A charge or a refund', rows: 2, until: 'until 84 months after its month', why: 'Books.' },
        ],
        state: null,
      }),
    ),
    http.post('/api/support/opaque/erasure', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ state: 'waiting' });
    }),
  );
  const user = show(<PersonalData record={record} />);
  await user.click(screen.getByRole('button', { name: 'Erase' }));
  const dialog = await screen.findByRole('dialog', { name: 'Erase the data of this number?' });
  expect(await within(dialog).findByText('A charge or a refund (2)')).toBeVisible();
  expect(within(dialog).getByText(/Kept until 84 months after its month\. Books\./)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Asked by phone' }));
  await user.click(within(dialog).getByRole('button', { name: 'Ask for the erasure' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([{ reason: 'Asked by phone' }]);
});

test('an own request cannot be decided, and an open one names who is missing', async () => {
  server.use(
    http.get('/api/erasures', () =>
      HttpResponse.json({
        erasures: [
          { ...erasure, mine: true },
          {
            ...erasure,
            id: 3,
            state: 'open',
            confirmed: ['subscription', 'comedy', 'diski', 'meme'],
            missing: ['tt'],
            cause: 'No answer yet: tt.',
          },
          { ...erasure, id: 2, state: 'done', decided_by: 'zola@example.test' },
        ],
      }),
    ),
  );
  show(<Erasures />);
  expect(await screen.findByText('You asked for this one, so another person decides.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Confirm/ })).toBeNull();
  expect(
    screen.getByText('4 of 5 services have erased it. No answer yet: tt. It goes on by itself.'),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: /^Text for the person/ })).toHaveAttribute(
    'href',
    '/api/erasures/2/letter.txt',
  );
});

test('a second person confirms with a reason', async () => {
  const bodies: unknown[] = [];
  server.use(
    http.get('/api/erasures', () => HttpResponse.json({ erasures: [erasure] })),
    http.post('/api/erasures/4', async ({ request }) => {
      bodies.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const user = show(<Erasures />);
  await user.click(await screen.findByRole('button', { name: 'Confirm the erasure of 27••••••678' }));
  const dialog = screen.getByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'Checked by phone');
  await user.click(within(dialog).getByRole('button', { name: 'Erase the data' }));
  await waitFor(() => expect(bodies).toEqual([{ accept: true, reason: 'Checked by phone' }]));
});
