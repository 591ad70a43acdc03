/** The calls of finance. */

import type { ComparedDay, NewTerm, NewVatRate } from '../../shared/contract/staff';
import { queryOptions } from '../../shared/http/queries';
import { client } from '../api';
import { addressOf, call } from '../client';

/** Which book; an empty brand or network is all of them. */
export type BookFilter = { month: string; svc_id: string; network: string };

const ofBook = ({ month, ...query }: BookFilter) => ({ path: { month }, query });

export const monthsQuery = queryOptions({
  queryKey: ['finance', 'months'],
  queryFn: ({ signal }) => call('GET /api/finance/months', { signal }),
});

export const bookQuery = (filter: BookFilter) =>
  queryOptions({
    queryKey: ['finance', 'book', filter.month, filter.svc_id, filter.network],
    queryFn: ({ signal }) => call('GET /api/finance/books/{month}', { ...ofBook(filter), signal }),
  });

/** Joins, leaves and running subscriptions of a month's days. */
export const subscribersQuery = (filter: BookFilter) =>
  queryOptions({
    queryKey: ['finance', 'subscribers', filter.month, filter.svc_id, filter.network],
    queryFn: async ({ signal }) =>
      (await call('GET /api/finance/subscribers/{month}', { ...ofBook(filter), signal })).days,
  });

/** Counts the month's rows of the ledger again, and shows the book that results. */
export async function recount(filter: BookFilter): Promise<void> {
  const { path, query } = ofBook(filter);
  const book = await call('GET /api/finance/books/{month}', { path, query: { ...query, recount: true } });
  client.setQueryData(bookQuery(filter).queryKey, book);
  await client.invalidateQueries({ queryKey: ['finance', 'subscribers'] });
}

export const exportAddress = (filter: BookFilter, file: 'book.csv' | 'statement.html'): string =>
  addressOf(`GET /api/finance/books/{month}/${file}`, ofBook(filter));

export const closeMonth = (month: string, income_cents: number) =>
  call('POST /api/finance/books/{month}/close', { path: { month }, body: { income_cents } });

export const termsQuery = queryOptions({
  queryKey: ['finance', 'terms'],
  queryFn: ({ signal }) => call('GET /api/finance/terms', { signal }),
});
export const addTerm = (body: NewTerm) => call('POST /api/finance/terms', { body });
export const addVatRate = (body: NewVatRate) => call('POST /api/finance/vat', { body });

export const differencesQuery = queryOptions({
  queryKey: ['finance', 'differences'],
  queryFn: async ({ signal }) => (await call('GET /api/finance/differences', { signal })).days,
});
export const compareDay = (day: string, accept: boolean, reason = '') =>
  call('POST /api/finance/differences/{day}', { path: { day }, body: { accept, reason } });

export const assignmentsQuery = queryOptions({
  queryKey: ['finance', 'assignments'],
  queryFn: ({ signal }) => call('GET /api/finance/assignments', { signal }),
});
export const assignDay = ({ day, network }: ComparedDay, staff_id: number | null) =>
  call('PUT /api/finance/differences/{day}/assignment', { path: { day }, body: { network, staff_id } });

/** After a change, everything of finance is read again. */
export const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: ['finance'] });
