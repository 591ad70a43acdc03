/** The calls of finance. */
import { queryOptions } from '../../api/query-client';
import { client } from '../api';
import { call } from '../client';
import type {
  Assignments,
  Book,
  BookFilter,
  ComparedDay,
  DayComparison,
  MonthList,
  NewTerm,
  SubscriberDay,
  Terms,
} from './types';

const queryOf = ({ svc_id, network }: BookFilter, more: Record<string, string> = {}): string => {
  const given = Object.entries({ svc_id, network, ...more }).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};
const pathOf = (month: string): string => `/api/finance/books/${encodeURIComponent(month)}`;

export const monthsQuery = queryOptions({
  queryKey: ['finance', 'months'],
  queryFn: () => call<MonthList>('GET', '/api/finance/months'),
});

export const bookQuery = (filter: BookFilter) =>
  queryOptions({
    queryKey: ['finance', 'book', filter.month, filter.svc_id, filter.network],
    queryFn: () => call<Book>('GET', pathOf(filter.month) + queryOf(filter)),
  });

/** Joins, leaves and running subscriptions of a month's days. */
export const subscribersQuery = (filter: BookFilter) =>
  queryOptions({
    queryKey: ['finance', 'subscribers', filter.month, filter.svc_id, filter.network],
    queryFn: async () => {
      const path = `/api/finance/subscribers/${encodeURIComponent(filter.month)}${queryOf(filter)}`;
      return (await call<{ days: SubscriberDay[] }>('GET', path)).days;
    },
  });

/** Counts the month's rows of the ledger again, and shows the book that results. */
export async function recount(filter: BookFilter): Promise<void> {
  const book = await call<Book>('GET', pathOf(filter.month) + queryOf(filter, { recount: 'true' }));
  client.setQueryData(bookQuery(filter).queryKey, book);
  await client.invalidateQueries({ queryKey: ['finance', 'subscribers'] });
}

export const exportAddress = (filter: BookFilter, file: 'book.csv' | 'statement.pdf'): string =>
  `${pathOf(filter.month)}/${file}${queryOf(filter)}`;

export const closeMonth = (month: string, income_cents: number): Promise<unknown> =>
  call('POST', `${pathOf(month)}/close`, { income_cents });

export const termsQuery = queryOptions({
  queryKey: ['finance', 'terms'],
  queryFn: () => call<Terms>('GET', '/api/finance/terms'),
});
export const addTerm = (term: NewTerm): Promise<unknown> => call('POST', '/api/finance/terms', term);
export const addVatRate = (rate: { basis_points: number; since: string }): Promise<unknown> =>
  call('POST', '/api/finance/vat', rate);

export const differencesQuery = queryOptions({
  queryKey: ['finance', 'differences'],
  queryFn: async () => (await call<{ days: ComparedDay[] }>('GET', '/api/finance/differences')).days,
});
export const compareDay = (day: string, accept: boolean, reason = ''): Promise<DayComparison> =>
  call('POST', `/api/finance/differences/${encodeURIComponent(day)}`, { accept, reason });

export const assignmentsQuery = queryOptions({
  queryKey: ['finance', 'assignments'],
  queryFn: () => call<Assignments>('GET', '/api/finance/assignments'),
});
export const assignDay = ({ day, network }: ComparedDay, staff_id: number | null): Promise<void> =>
  call('PUT', `/api/finance/differences/${encodeURIComponent(day)}/assignment`, { network, staff_id });

/** After a change, everything of finance is read again. */
export const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: ['finance'] });
