/** The end of a paged list: loading more, an error, or the total. */

import { useEffect } from 'react';
import { t } from '../messages';
import type { Pages } from './EndlessList';
import { loadErrorMessage } from './load-error';

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
    const retry = () => fetchNextPage();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [hasFailed, fetchNextPage]);

  if (hasFailed)
    return (
      <div className={quiet ? undefined : 'notice'} role="alert">
        <p className={quiet ? 'visually-hidden' : undefined}>{loadErrorMessage(error)}</p>
        <button type="button" className={quiet ? 'nav-link' : 'button'} onClick={fetchNextPage}>
          {t('try-again')}
        </button>
      </div>
    );
  if (quiet)
    return (
      <p className="visually-hidden" role="status">
        {isFetchingNextPage && t('loading-more')}
      </p>
    );
  return (
    <div className="notice">
      {hasNextPage && !isFetchingNextPage ? (
        <button type="button" className="button button-quiet" onClick={fetchNextPage}>
          {t('show-more')}
        </button>
      ) : (
        <p role="status">{hasNextPage ? t('loading-more') : t('list-end', { count })}</p>
      )}
    </div>
  );
}
