/** The four states of anything that is fetched: loading, empty, error, data. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { isStatus } from '../api/problem';
import { paths } from '../paths';
import { BrokenIcon, EmptyIcon } from './icons';
import { reasonOf } from './reason';
import './states.css';

type Fetched<T> = {
  data: T | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  /** Of a list: an empty page may be followed by one that is not. */
  hasNextPage?: boolean;
  refetch: () => unknown;
};

type Props<T> = {
  query: Fetched<T>;
  /** Takes the room the data will take, so that nothing jumps. */
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
  // What is not there will not come by trying again.
  if (isStatus(query.error, 404)) return <Gone />;
  if (query.isError && !query.isFetching) {
    return (
      <Notice alert>
        <p>{reasonOf(query.error)}</p>
        <button type="button" className="button" onClick={() => query.refetch()}>
          Try again
        </button>
      </Notice>
    );
  }
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading
      </span>
      {skeleton}
    </div>
  );
}

/** Who followed an old link is led on. */
function Gone() {
  return (
    <Notice>
      <p>This is not here any more.</p>
      <Link className="button" to={paths.root()}>
        Go to the home page
      </Link>
    </Notice>
  );
}

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
