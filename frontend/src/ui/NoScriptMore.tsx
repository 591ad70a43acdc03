/** The link to the next page of a list for browsers without scripts: the same address, with `?after=` the last item. */

import { useLocation } from 'react-router';
import { t } from '../messages';
import { cardsOnServer, serverInput } from '../server-input';

type Props = {
  list: { id: number }[] | undefined;
  /** The number of items on the page. */
  shown?: number;
  /** For search results, which continue by position: the query, and the position of the first. */
  search?: { q: string; from: number };
};

export function NoScriptMore({ list = [], shown = cardsOnServer(), search }: Props) {
  const { pathname } = useLocation();
  const last = list[shown - 1];
  if (!last || list.length === shown) return null;
  const query = search
    ? `q=${encodeURIComponent(search.q)}&after=${search.from + shown}`
    : `after=${last.id}`;
  return <MoreLink href={`${pathname}?${query}`} />;
}

/** The same for a list of the visitor's own, which the gateway requests page by page. */
export function NoScriptMoreOwn() {
  const { pathname } = useLocation();
  const next = serverInput()?.next;
  return next ? <MoreLink href={`${pathname}?after=${next}`} /> : null;
}

function MoreLink({ href }: { href: string }) {
  return (
    <p className="plain-more">
      <a className="button button-quiet" href={href}>
        {t('more')}
      </a>
    </p>
  );
}
