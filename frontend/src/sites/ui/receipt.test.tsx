import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openPage } from '../../dev/render';
import { server, signedIn } from '../../dev/server';
import type { ReceiptEntry } from '../../shared/contract/sites';
import { receiptDays } from './receipt';
import type { WatchedDay } from './watched-days';

const charge = (day: string, changes: Partial<ReceiptEntry> = {}): ReceiptEntry => ({
  id: Number(day.replace(/-/g, '')),
  day,
  kind: 'charge',
  cents: 300,
  status: 'settled',
  network: 'Aloe Connect',
  refund_of: null,
  consent: {
    at: '2026-11-01 08:00:00',
    price_cents: 300,
    period: 'day',
    words: 'MC Funny. R3/day',
    language: 'en',
    shown_by: 'page',
  },
  complaint: null,
  ...changes,
});

const watched = (day: string): WatchedDay => ({ day, bytes: 12_340_000, films: [['/video/1', 'A film']] });

test('receiptDays joins both sides by day, the latest first, and waits with days that are not loaded', () => {
  const entries = [charge('2026-11-22'), charge('2026-11-20')];
  const days = [watched('2026-11-22'), watched('2026-11-21'), watched('2026-11-10')];
  const named = (isWhole: boolean) => receiptDays(entries, days, isWhole).map(({ day }) => day);
  expect(named(false)).toEqual(['2026-11-22', '2026-11-21', '2026-11-20']);
  expect(named(true)).toEqual(['2026-11-22', '2026-11-21', '2026-11-20', '2026-11-10']);
});

test('a complaint sends the day of its charge, and shows what became of it', async () => {
  const day = { ...watched('2026-11-21'), saved: 20_000_000 };
  localStorage.setItem('spaza.watched.mcfunny', JSON.stringify([day]));
  let sent: unknown;
  server.use(
    signedIn(),
    http.get('*/api/subscribe/receipt', () =>
      HttpResponse.json([charge('2026-11-22'), charge('2026-11-21', { consent: null })]),
    ),
    http.post('*/api/subscribe/complaint', async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ outcome: 'case', case: 17, day: '2026-11-22', cents: 300 });
    }),
  );
  const { user } = openPage('/mine');
  expect(await screen.findByText('MC Funny. R3/day')).toBeInTheDocument();
  expect(screen.getByText('Why? We keep no consent for it')).toBeInTheDocument();
  expect(screen.getByText('Watched on this phone: 12.3 MB')).toBeInTheDocument();
  expect(screen.getByText(/^Saved on this phone: 20\.0 MB\. .* data: 0\.0 MB$/)).toBeInTheDocument();
  const [first] = screen.getAllByRole('button', { name: 'I did not want this' });
  await user.click(first as HTMLElement);
  expect(await screen.findByText(/Your case is number 17; call 080 000 0148/)).toBeInTheDocument();
  expect(sent).toEqual({ day: '2026-11-22' });
});

test('without a session the page says how to see what was charged', async () => {
  openPage('/mine');
  expect(await screen.findByText('Before you join, nothing is charged.')).toBeInTheDocument();
});
