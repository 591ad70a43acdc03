import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { comedyBrand, memeBrand } from '../../../dev/brands';
import { openPage } from '../../../dev/render';
import { problem, server, signedIn } from '../../../dev/server';
import type { Brand } from '../../brand';

const SOLD_ON_TWO = {
  ...comedyBrand,
  stops: [
    [null, '31222', '*120*31222#'],
    ['Aloe Connect', '31333', null],
  ] as Brand['stops'],
};

test('lists the ways to stop of the subscriber’s own network', async () => {
  server.use(signedIn({ stop_number: '31333', ussd: null }));
  openPage('/subscription', SOLD_ON_TWO);
  await screen.findByText('27••••••678');
  expect(screen.getByText('31333', { exact: false, selector: 'li *' })).toBeInTheDocument();
  expect(screen.queryByText('31222', { exact: false })).not.toBeInTheDocument();
});

test('offline, the page says at once that an SMS works now', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  server.use(http.post('*/api/subscribe/unsubscribe', () => HttpResponse.error()));
  const { user } = openPage('/subscription', SOLD_ON_TWO);
  const advice = 'You are offline. SMS STOP to 31222, 31333 (Aloe Connect) works now.';
  expect(await screen.findByText(advice)).toHaveAttribute('role', 'alert');
  await user.type(await screen.findByLabelText('Number to unsubscribe'), '812345678{Enter}');
  await waitFor(() => expect(screen.getAllByText(advice)).toHaveLength(2));
  online.mockRestore();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.getAllByText(advice)).toHaveLength(1);
});

test('a session in its free day shows the date of the first charge, and that leaving costs nothing', async () => {
  server.use(signedIn({ total_cents: 0, free_until: '2026-11-22', parts: [300, 200, 100] }));
  openPage('/subscription');
  await screen.findByRole('button', { name: 'Unsubscribe now' });
  for (const fact of [
    'R3 per day. R3, or R2 or R1 when airtime is low.',
    '22 November 2026. Until then it is free: if you leave before that day, nothing is charged.',
  ]) {
    expect(await screen.findByText(fact, { selector: 'dd, dd *' })).toBeInTheDocument();
  }
});

test('a session shows its price and history, and leaves in one tap', async () => {
  let sent: unknown;
  server.use(
    signedIn(),
    http.post('*/api/subscribe/unsubscribe', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ state: 'cancelled' });
    }),
  );
  const { user } = openPage('/subscription');
  const leave = await screen.findByRole('button', { name: 'Unsubscribe now' });
  for (const fact of ['R3 per day', '1 November 2026', 'R63', '22 November 2026', '080 000 0148']) {
    expect(await screen.findByText(fact, { selector: 'dd, dd *' })).toBeInTheDocument();
  }
  await user.click(leave);
  expect(await screen.findByText('You have left MC Funny')).toBeInTheDocument();
  expect(sent).toEqual({ svc_id: 148 });
});

test('without a session the visitor leaves by number, through the operator’s page', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  server.use(
    http.post('*/api/subscribe/unsubscribe', () =>
      HttpResponse.json({ redirectUrl: 'http://operator.test/stop' }),
    ),
  );
  const { user } = openPage('/subscription');
  await user.type(await screen.findByLabelText('Number to unsubscribe'), '812345678{Enter}');
  await waitFor(() => expect(assign).toHaveBeenCalledWith('http://operator.test/stop'));
  expect(screen.getAllByText('STOP')).toHaveLength(2);
  expect(screen.getByRole('link', { name: '*120*31222#' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: '*135#' })).toBeInTheDocument();
});

test('a leave that fails shows the other ways to stop, and does not say that we are busy', async () => {
  server.use(http.post('*/api/subscribe/unsubscribe', () => problem(503, 'We are busy right now.')));
  const { user } = openPage('/subscription');
  await user.type(await screen.findByLabelText('Number to unsubscribe'), '812345678{Enter}');
  expect(await screen.findByText(/use one of the ways below/)).toBeInTheDocument();
});

test('lists the ways to stop of each of the brand’s networks', async () => {
  openPage('/subscription', SOLD_ON_TWO);
  const items = await screen.findAllByText(
    (_, element) => element?.tagName === 'LI' && /SMS STOP to/.test(element.textContent),
  );
  expect(items.map(item => item.textContent)).toEqual([
    'SMS STOP to 31222, *120*31222#',
    'Aloe Connect: SMS STOP to 31333',
  ]);
});

test('a leave by number with an unknown session ends the subscription at once', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  server.use(
    http.get('*/api/subscribe/me', () => problem(503, 'Down')),
    http.post('*/api/subscribe/unsubscribe', () => HttpResponse.json({ state: 'cancelled' })),
  );
  const { user } = openPage('/subscription');
  await user.type(await screen.findByLabelText('Number to unsubscribe'), '812345678{Enter}');
  expect(await screen.findByText('You have left MC Funny')).toBeInTheDocument();
  expect(assign).not.toHaveBeenCalled();
});

test('shows the data used this month, and stores the chosen cap', async () => {
  const month = new Date(Date.now() + 7_200_000).toISOString().slice(0, 7);
  localStorage.setItem('spaza.data.mcfunny', JSON.stringify({ month, bytes: 12_340_000, cap: 0 }));
  const { user } = openPage('/subscription');
  expect(await screen.findByText('12.3 MB')).toBeInTheDocument();
  const cap = screen.getByRole('combobox', { name: 'Stop playing at' });
  expect(cap).toHaveDisplayValue('No limit');
  await user.selectOptions(cap, '100 MB a month');
  expect(screen.getByText(/^87.7 MB left this month/)).toBeInTheDocument();
  expect(JSON.parse(localStorage.getItem('spaza.data.mcfunny') ?? '')).toMatchObject({ cap: 100 });
});

test('meme brands show no data cap', async () => {
  openPage('/subscription', memeBrand);
  expect(await screen.findByRole('heading', { name: 'Other ways to stop' })).toBeInTheDocument();
  expect(screen.queryByRole('combobox', { name: 'Stop playing at' })).not.toBeInTheDocument();
});

test('what the phone has learned is cleared and switched off here', async () => {
  localStorage.setItem('spaza.taste.mcfunny', JSON.stringify([['artist-1', 3, 99_999]]));
  const { user } = openPage('/subscription');
  await user.click(await screen.findByRole('button', { name: 'Forget what I like' }));
  expect(screen.getByRole('button', { name: 'Nothing learned yet' })).toBeDisabled();
  expect(localStorage.getItem('spaza.taste.mcfunny')).toBe('[]');
  await user.click(screen.getByRole('checkbox', { name: 'Show what I like first' }));
  expect(localStorage.getItem('spaza.taste.off')).toBe('yes');
});
