/** What a screen shows before it has data, without data, and after a failure. */
import type { ReactNode } from 'react';
import { isStatus, messageOf } from '../../shared/http/problem';
import { words } from '../words';
import { Button } from './Button';

export function Loading({ what = words.common.loading }: { what?: string }) {
  return (
    <output className="loading">
      <span className="sr">{what}</span>
      <span className="bone" />
      <span className="bone" />
      <span className="bone short" />
    </output>
  );
}

export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const forbidden = isStatus(error, 403);
  const otherwise = error instanceof TypeError ? words.common.offline : words.common.failed;
  return (
    <div className="empty" role="alert">
      <p className="strong">{forbidden ? words.common.forbidden : messageOf(error, otherwise)}</p>
      {forbidden ? (
        <p className="muted">{words.common.forbiddenHint}</p>
      ) : (
        <Button onClick={retry}>{words.common.retry}</Button>
      )}
    </div>
  );
}

/** Several queries as one. */
export function together<T extends unknown[]>(...queries: { [K in keyof T]: Query<T[K]> }): Query<T> {
  const failed = queries.find(({ error }) => error);
  return {
    data: queries.every(({ data }) => data !== undefined)
      ? (queries.map(({ data }) => data) as T)
      : undefined,
    error: failed?.error,
    refetch: () => queries.forEach(query => void query.refetch()),
  };
}

type Query<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

/** What a query has read; before it that it loads, or why it failed. */
export function Loaded<T>({
  query,
  what,
  children,
}: {
  query: Query<T>;
  what?: string;
  children?: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children?.(query.data);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading {...(what !== undefined && { what })} />;
}

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** Goes on with a list; nothing at its end. */
export function More({ list, children }: { list: Pages; children: ReactNode }) {
  if (!list.hasNextPage) return null;
  return (
    <Button tone="more" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {children}
    </Button>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      {children}
    </div>
  );
}
