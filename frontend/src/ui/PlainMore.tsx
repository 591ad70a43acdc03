/** The way to the rest of a list for browsers without scripts: the same address, after the last item that is shown. */
import { useLocation } from 'react-router';
import { cardsOnServer } from '../server-input';

type Props = {
  list: { id: number }[] | undefined;
  /** Items that are shown, where a list shows fewer than usual. */
  shown?: number;
};

export function PlainMore({ list = [], shown = cardsOnServer() }: Props) {
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
