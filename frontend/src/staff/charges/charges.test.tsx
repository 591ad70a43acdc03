/** Paused charges over a mocked network: what is paused, what can be, and both decisions with their reason. */

import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { openBackOffice } from '../../dev/back-office';
import { server } from '../../dev/server';
import type { ChargePause, ChargePauses } from '../../shared/contract/staff';
import { client } from '../api';

const pause: ChargePause = {
  network: 'pull',
  svc_id: 0,
  service: '',
  reason: 'Replies are mixed up',
  made_by: 'zola@example.test',
  since: '2026-11-26T10:00:00Z',
  end: null,
};

const lists: ChargePauses = {
  pauses: [pause],
  ended: [
    {
      ...pause,
      network: '',
      svc_id: 150,
      service: 'memeworld',
      end: { at: '2026-11-26T11:00:00Z', reason: 'It is found', made_by: 'sipho@example.test' },
    },
  ],
  networks: [
    { network: 'pull', charges_by_itself: false },
    { network: 'other', charges_by_itself: false },
    { network: 'push', charges_by_itself: true },
  ],
  services: [{ svc_id: 150, service: 'memeworld' }],
};

beforeEach(() => client.clear());

function open(roles: string[], reply: ChargePauses = lists) {
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'zola@example.test', name: 'Zola', roles } }),
    ),
    http.get('/api/charges/pauses', () => HttpResponse.json(reply)),
  );
  return openBackOffice('/charges').user;
}

test('shows what is paused, what was, and what can be', async () => {
  open(['finance']);
  const sentence =
    'Charges are paused on pull since 26 Nov 2026, 12:00 by zola@example.test: Replies are mixed up';
  expect(await screen.findByText(sentence)).toBeVisible();
  const options = within(screen.getByLabelText('Charges')).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'All charges',
    'Charges on other',
    'Charges of memeworld',
  ]);
  expect(
    screen.getByText('Networks that charge by themselves go on doing so, whatever is paused here: push.'),
  ).toBeVisible();
  const row = within(screen.getByRole('table', { name: 'Earlier pauses' })).getAllByRole('row')[1];
  expect(row).toHaveTextContent(/memeworld.*12:00zola.*mixed up.*13:00sipho.*It is found/);
});

test('pauses and resumes with a reason', async () => {
  const user = open(['administrator']);
  const sent: unknown[] = [];
  for (const call of ['pause', 'resume'])
    server.use(
      http.post(`/api/charges/${call}`, async ({ request }) => {
        sent.push(call, await request.json());
        return HttpResponse.json(pause);
      }),
    );
  await user.selectOptions(await screen.findByLabelText('Charges'), 'Charges of memeworld');
  for (const [button, title, submit] of [
    ['Pause', 'Charges of memeworld: pause?', 'Pause the charges'],
    ['Resume: Charges on pull', 'Charges on pull: resume?', 'Resume the charges'],
  ] as const) {
    await user.click(screen.getByRole('button', { name: button }));
    const dialog = screen.getByRole('dialog', { name: title });
    await user.click(within(dialog).getByRole('button', { name: submit }));
    expect(await within(dialog).findByText(/at least three/i)).toBeVisible();
    await user.type(within(dialog).getByLabelText('Reason'), 'It is found');
    await user.click(within(dialog).getByRole('button', { name: submit }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(sent).toEqual([
    'pause',
    { network: '', svc_id: 150, reason: 'It is found' },
    'resume',
    { network: 'pull', svc_id: 0, reason: 'It is found' },
  ]);
});

test('support has no such screen', async () => {
  open(['support']);
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Charges' })).toBeNull());
  expect(screen.queryByRole('link', { name: 'Charges' })).toBeNull();
});
