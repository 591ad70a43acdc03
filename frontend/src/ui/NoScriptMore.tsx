/** The link to the next page of a list for browsers without scripts: the same address, with `?after=` the last item. */
import { useLocation } from 'react-router';
import { cardsOnServer } from '../server-input';

type Props = {
  list: { id: number }[] | undefined;
  /** The number of items on the page. */
  shown?: number;
};

export function NoScriptMore({ list = [], shown = cardsOnServer() }: Props) {
  const { pathname } = useLocation();
  const last = list[shown - 1];
  if (!last || list.length === shown) return null;
  return (
    <p className="plain-more">
      <a className="button button-quiet" href={`${pathname}?after=${last.id}`}>
        More
      </a>
    </p>
  );
}
