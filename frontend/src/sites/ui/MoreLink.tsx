/** The link to the next page of a list without scripts: the same address, with `?after=`. Only the server renders it. */

import { useLocation } from 'react-router';
import { t } from '../messages';
import { cardsOnServer, serverInput } from '../server-input';

/** `shown`: the number of items on the page. */
export function MoreLink({ list, shown = cardsOnServer() }: { list: unknown[]; shown?: number | undefined }) {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const q = query.get('q');
  const last = list.length > shown ? (list[shown - 1] as { id: number }).id : '';
  // The services say where a visitor's own list continues; search results continue by position.
  const after = serverInput()?.next || (last && q !== null ? Number(query.get('after')) + shown : last);
  if (after === '') return null;
  return (
    <p className="plain-more">
      <a
        className="button button-quiet"
        href={`${pathname}?${q === null ? '' : `q=${encodeURIComponent(q)}&`}after=${after}`}
      >
        {t('show-more')}
      </a>
    </p>
  );
}
