/** A record that is open: new events appear, and wait while a member of staff reads; a hidden, offline or idle tab sends nothing. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBackOffice } from '../../dev/back-office';
import { server } from '../../dev/server';
import { client } from '../api';
import { watchPresence } from '../presence';

const event = (minute: number, text: string) => ({
  at: `2026-11-03T04:0${minute}:00Z`,
  service: 'raceday',
  kind: 'charge',
  text,
});
let timeline = [event(0, 'The first')];
let searches = 0;
let readings = 0;
let silent = false;

beforeEach(() => {
  client.clear();
  timeline = [event(0, 'The first')];
  searches = 0;
  readings = 0;
  silent = false;
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => vi.useRealTimers());

const record = () => ({
  ref: 'ref 1',
  masked: '+27 81 *** **34',
  month_spend_cents: 0,
  blocked: null,
  subscriptions: [],
  timeline,
  notes: [],
  refund_limit_cents: 5000,
  refund_left_cents: 5000,
});

async function open() {
  watchPresence();
  server.use(
    http.get('/api/session', () =>
      HttpResponse.json({ staff: { id: 1, email: 'sipho@example.test', name: 'Sipho', roles: ['support'] } }),
    ),
    http.get('/api/approvals', () => HttpResponse.json({ approvals: [] })),
    http.get('/api/support/cases', () => HttpResponse.json([])),
    http.get('/api/erasures', () => HttpResponse.json({ erasures: [] })),
    http.get('/api/overview', () =>
      HttpResponse.json({
        subscribers: null,
        money: null,
        operations: null,
        undecided_publishers: null,
        pauses: null,
      }),
    ),
    http.post('/api/support/search', () => {
      searches++;
      return HttpResponse.json(record());
    }),
    http.get('/api/support/:ref', ({ params }) => {
      readings++;
      expect(params.ref).toBe('ref 1');
      return silent
        ? HttpResponse.json({ error_message: 'x' }, { status: 500 })
        : HttpResponse.json(record());
    }),
  );
  openBackOffice();
  const user = userEvent.setup({ advanceTimers: ms => vi.advanceTimersByTime(ms) });
  await screen.findByRole('heading', { name: 'Hello, Sipho' });
  await user.keyboard('/0815551234{Enter}');
  await screen.findByText('The first', { exact: false, selector: '.entry-text' });
  return user;
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const list = () => screen.getByRole('list', { name: 'Timeline, newest first' });
const rows = () => within(list()).getAllByText(/^The /, { selector: '.entry-text' });

test('a new event appears, marked and announced, with one call each half minute', async () => {
  await open();
  timeline = [event(1, 'The second'), ...timeline];
  await pass(20);
  expect(readings).toBe(0);
  await pass(11);
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect([searches, readings]).toEqual([1, 1]);
  expect(screen.getByText('1 new event').closest('[role=status]')).not.toBeNull();
  expect(rows()[0]).toHaveTextContent('The second · racedayNew');
  expect(rows()[1]).not.toHaveTextContent('New');
});

test('who reads an entry is not disturbed: new events wait for the button', async () => {
  const user = await open();
  const first = rows()[0]?.closest('summary');
  first?.focus();
  timeline = [event(2, 'The third'), event(1, 'The second'), ...timeline];
  await pass(31);
  const button = await screen.findByRole('button', { name: 'Show 2 new' });
  expect(rows()).toHaveLength(1);
  expect(first).toHaveFocus();
  expect(screen.getByText('2 new events')).toBeInTheDocument();
  await user.click(button);
  expect(rows().map(row => row.textContent)).toEqual([
    'The third · racedayNew',
    'The second · racedayNew',
    'The first · raceday',
  ]);
  expect(rows()[0]?.closest('summary')).toHaveFocus();
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});

test('a tab that is idle or hidden reads nothing, and goes on with the next key', async () => {
  const user = await open();
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(100);
  expect(readings).toBe(0);
  hidden.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(readings).toBe(1));
  // Two minutes without a key or a movement.
  await pass(131);
  const before = readings;
  expect(screen.getByText(/^Paused since \d\d:\d\d/)).toBeVisible();
  await pass(300);
  expect(readings).toBe(before);
  await user.keyboard('{Shift}');
  await waitFor(() => expect(readings).toBe(before + 1));
  expect(screen.getByText('Live')).toBeVisible();
});

test('a lost connection and a server without an answer are named, with what was read before', async () => {
  await open();
  silent = true;
  await pass(31);
  expect(await screen.findByText(/^No answer. This was read at \d\d:\d\d/)).toBeVisible();
  expect(rows()).toHaveLength(1);
  silent = false;
  await pass(31);
  expect(await screen.findByText('Live')).toBeVisible();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText(/^Offline. This was read at/)).toBeVisible();
  const before = readings;
  await pass(60);
  expect(readings).toBe(before);
  vi.restoreAllMocks();
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(readings).toBe(before + 1));
});
