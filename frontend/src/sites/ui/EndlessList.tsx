/**
 * A windowed list: about 60 items around the viewport are in the document, and padding of the measured size replaces the others. The code
 * for it (list-window.ts) is loaded when a list is longer.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useFirstScreen } from '../hydration';
import type { View } from './list-window';
import { MoreLink } from './MoreLink';
import { Plain } from './Plain';

export type Pages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => unknown;
};

type Props<T> = {
  items: T[];
  idOf: (item: T) => number | string;
  /** Loads more items; absent if `items` is complete. */
  pages?: Pages | undefined;
  className: string;
  /** The number of items that the server renders. */
  first?: number;
  /** The most items in the document at a time. */
  most?: number;
  /** For links in a bar or a menu: shows no text at the end of the list. */
  quiet?: boolean;
  children: (item: T, place: number) => ReactNode;
};

const MAX_ITEMS = 60;
const RETRY_MS = 5000;

type ListWindowModule = typeof import('./list-window');
let listWindow: ListWindowModule | undefined;

const isSame = (one: View, other: View) => JSON.stringify(one) === JSON.stringify(other);

export function EndlessList<T>({
  items,
  idOf,
  pages,
  className,
  first,
  most = MAX_ITEMS,
  quiet = false,
  children,
}: Props<T>) {
  const [list, setList] = useState<HTMLUListElement | null>(null);
  const shown = useFirstScreen()(items, first);
  // The location's key is the same when the visitor returns to a page, which restores the list's position.
  const { key, state } = useLocation();
  // A dialog over a page has an address of its own, and the list below it stays at its position.
  const name = `${(state as { under?: string } | null)?.under ?? key} ${className}`;
  const [loaded, setLoaded] = useState(listWindow);
  const [view, setView] = useState<View>(() => listWindow?.viewAt(name) ?? { from: 0, to: most });
  // Not before the items after the first screen have followed: its end would request the next page.
  const isLong = shown.length === items.length && (items.length > most || pages?.hasNextPage === true);
  const [wasLong, setWasLong] = useState(isLong);
  if (isLong && !wasLong) setWasLong(true);

  useEffect(() => {
    if (!wasLong || loaded) return;
    let timer = 0;
    const load = () =>
      import(/* webpackChunkName: "list-window" */ './list-window').then(
        found => {
          listWindow = found;
          setLoaded(found);
        },
        error => {
          console.info('list-window could not be loaded', error);
          timer = window.setTimeout(load, RETRY_MS);
        },
      );
    load();
    return () => window.clearTimeout(timer);
  }, [wasLong, loaded]);

  const { from, to, kept = -1, style, keptStyle }: View = view;
  const places = shown.slice(from, to).map((_, place) => from + place);
  // The focused item stays in the document.
  if (kept >= 0 && kept < from) places.unshift(kept);
  else if (kept >= to && kept < shown.length) places.push(kept);
  return (
    <>
      <ul ref={setList} className={className} style={style}>
        {places.map(place => {
          const item = shown[place] as T;
          return (
            <li
              key={idOf(item)}
              style={place === kept ? keptStyle : undefined}
              {...(style && {
                'aria-posinset': place + 1,
                'aria-setsize': pages?.hasNextPage ? -1 : shown.length,
              })}
            >
              {children(item, place)}
            </li>
          );
        })}
      </ul>
      <Plain>{SERVER_RENDERING && !quiet && <MoreLink list={items} shown={first} />}</Plain>
      {loaded && wasLong && (
        <>
          {list && (
            <loaded.ListWindow
              key={name}
              list={list}
              name={name}
              count={shown.length}
              most={most}
              pages={pages}
              view={view}
              onView={next => setView(before => (isSame(before, next) ? before : next))}
            />
          )}
          <loaded.ListEnd pages={pages} count={items.length} quiet={quiet} />
        </>
      )}
    </>
  );
}
