/** What stands at the end of a long list: more is coming, it failed, or that was all. */
import { useEffect } from 'react';
import type { Pages } from './EndlessList';
import { reasonOf } from './reason';

export function ListEnd({
  pages,
  count,
  quiet,
}: {
  pages: Pages | undefined;
  count: number;
  quiet: boolean;
}) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, error } = pages ?? {};
  const hasFailed = isFetchNextPageError && !isFetchingNextPage;
  useEffect(() => {
    if (!hasFailed || !fetchNextPage) return;
    const again = () => fetchNextPage();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [hasFailed, fetchNextPage]);

  if (hasFailed)
    return (
      <div className={quiet ? undefined : 'notice'} role="alert">
        <p className={quiet ? 'visually-hidden' : undefined}>{reasonOf(error)}</p>
        <button type="button" className={quiet ? 'nav-link' : 'button'} onClick={fetchNextPage}>
          Try again
        </button>
      </div>
    );
  if (quiet)
    return (
      <p className="visually-hidden" role="status">
        {isFetchingNextPage && 'Loading more'}
      </p>
    );
  return (
    <div className="notice">
      {hasNextPage && !isFetchingNextPage ? (
        <button type="button" className="button button-quiet" onClick={fetchNextPage}>
          Show more
        </button>
      ) : (
        <p role="status">{hasNextPage ? 'Loading more…' : `That is all: ${count} in this list.`}</p>
      )}
    </div>
  );
}
