/**
 * A list of any length. About 60 of its items are in the document at a time, those around the screen; the others are space of the size
 * that was measured. The code for that (list-window.ts) is fetched when a list is longer.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useFirstScreen } from '../hydration';
import type { ListWindow, Range } from './list-window';

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
  /** Where more items come from; none where `items` are all. */
  pages?: Pages | undefined;
  className: string;
  /** How many the server renders. */
  first?: number;
  /** How many are in the document at a time, where they are large. */
  most?: number;
  /** A list of links in a bar or a menu: its end needs no words. */
  quiet?: boolean;
  children: (item: T, place: number) => ReactNode;
};

const MOST = 60;
const RETRY_MS = 5000;

type Code = typeof import('./list-window');
let code: Code | undefined;

export function EndlessList<T>({
  items,
  idOf,
  pages,
  className,
  first,
  most = MOST,
  quiet = false,
  children,
}: Props<T>) {
  const list = useRef<HTMLUListElement>(null);
  const shown = useFirstScreen()(items, first);
  // A page that the visitor comes back to has the place that it had.
  const { key, state } = useLocation();
  // What opens over a page has an address of its own, and the list below is where it was.
  const name = `${(state as { under?: string } | null)?.under ?? key} ${className}`;
  const [loaded, setLoaded] = useState(code);
  const [range, setRange] = useState(() => code?.rangeAt(name) ?? { from: 0, to: most });
  const isLong = items.length > most || pages?.hasNextPage === true;
  const [wasLong, setWasLong] = useState(isLong);
  if (isLong && !wasLong) setWasLong(true);

  useEffect(() => {
    if (!wasLong || loaded) return;
    let timer = 0;
    const load = () =>
      import(/* webpackChunkName: "list-window" */ './list-window').then(
        found => {
          code = found;
          setLoaded(found);
        },
        error => {
          console.info('The list cannot go on yet', error);
          timer = window.setTimeout(load, RETRY_MS);
        },
      );
    load();
    return () => window.clearTimeout(timer);
  }, [wasLong, loaded]);

  const latestRange = useRef(range);
  latestRange.current = range;
  const view = useRef<ListWindow>(undefined);
  useLayoutEffect(() => {
    if (!wasLong || !loaded || !list.current) return;
    const window = loaded.windowOf(list.current, { name, most, range: latestRange.current, show: setRange });
    view.current = window;
    return window.stop;
  }, [wasLong, loaded, name, most]);
  useLayoutEffect(() => view.current?.rendered(shown.length, pages));

  const { from, to, kept = -1, style, keptStyle }: Range = range;
  const places = shown.slice(from, to).map((_, place) => from + place);
  // What has the focus stays in the document.
  if (kept >= 0 && kept < from) places.unshift(kept);
  else if (kept >= to && kept < shown.length) places.push(kept);
  return (
    <>
      <ul ref={list} className={className} style={style}>
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
      {loaded && wasLong && <loaded.ListEnd pages={pages} count={items.length} quiet={quiet} />}
    </>
  );
}
