/** The four states of a query: loading, empty, error, data. */

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isStatus } from '../api/problem';
import { t } from '../messages';
import { paths } from '../paths';
import { BrokenIcon, EmptyIcon } from './icons';
import { loadErrorMessage } from './load-error';
import './states.css';

type Fetched<T> = {
  data: T | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  /** For lists: an empty page may be followed by further pages. */
  hasNextPage?: boolean;
  refetch: () => unknown;
};

type Props<T> = {
  query: Fetched<T>;
  /** As large as the data, so that nothing moves. */
  skeleton: ReactNode;
  empty: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
};

const nothingIn = (data: unknown): boolean =>
  (Array.isArray(data) ? data : (data as { items?: unknown[] } | null)?.items)?.length === 0;

export function Loaded<T>({ query, skeleton, empty, isEmpty = nothingIn, children }: Props<T>) {
  if (query.data !== undefined)
    return isEmpty(query.data) && !query.hasNextPage ? <Notice>{empty}</Notice> : children(query.data);
  // A retry does not help after 404.
  if (isStatus(query.error, 404)) return <NotFound />;
  if (query.isError && !query.isFetching) {
    return (
      <Notice alert>
        <p>{loadErrorMessage(query.error)}</p>
        <button type="button" className="button" onClick={() => query.refetch()}>
          {t('try-again')}
        </button>
        <GoHome className="button button-quiet" />
      </Notice>
    );
  }
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        {t('loading')}
      </span>
      {skeleton}
    </div>
  );
}

function NotFound() {
  return (
    <Notice>
      <p>{t('gone')}</p>
      <GoHome className="button" />
    </Notice>
  );
}

const GoHome = ({ className }: { className: string }) => (
  <Link className={className} to={paths.root()}>
    {t('go-home')}
  </Link>
);

export function Notice({ children, alert = false }: { children: ReactNode; alert?: boolean }) {
  return (
    <div className="notice" role={alert ? 'alert' : undefined}>
      {alert ? <BrokenIcon /> : <EmptyIcon />}
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  );
}

const PLACES = Array.from({ length: 12 }, (_, place) => place);

export function CardSkeletons({ count, shape }: { count: number; shape: string }) {
  return PLACES.slice(0, count).map(place => (
    <div key={place} className={`skeleton-card ${shape}`}>
      <div className="ratio skeleton" />
      <div className="skeleton skeleton-line" />
      <div className="skeleton skeleton-line skeleton-short" />
    </div>
  ));
}
