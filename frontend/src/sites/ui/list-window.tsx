/**
 * Windowing of long lists, by @tanstack/react-virtual: selects the range of items in the document. It counts in lines (a row of a grid, or one
 * item of a list), which are measured while they are in the document; padding of the list replaces the others.
 */
import {
  observeWindowOffset,
  observeWindowRect,
  useVirtualizer,
  type VirtualItem,
  type VirtualizerOptions,
  windowScroll,
} from '@tanstack/react-virtual';
import {
  type CSSProperties,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import type { Pages } from './EndlessList';

export { ListEnd } from './ListEnd';

export type View = {
  from: number;
  to: number;
  /** The focused item, if it is outside of the range. */
  kept?: number;
  /** The list's padding. */
  style?: CSSProperties;
  /** The position of the kept item. */
  keptStyle?: CSSProperties;
};

type Layout = { columns: number; isRow: boolean; width: number };

type SavedPosition = {
  layout: string;
  view: View;
  lines: VirtualItem[];
  /** Pixels from the beginning of the list to that of the screen. */
  offset: number;
  /** The first visible item. */
  item: number;
  focused: number;
};

/** The position of each list when the visitor left its page. */
const savedPositions = new Map<string, SavedPosition>();
const MAX_SAVED = 50;

export const viewAt = (name: string): View | undefined => savedPositions.get(name)?.view;

type Props = {
  list: HTMLElement;
  /** The key of the saved position: the same for the same list at the same history entry. */
  name: string;
  /** The number of loaded items. */
  count: number;
  /** The most items in the document, unless the screen needs more. */
  most: number;
  pages: Pages | undefined;
  /** What the list shows now. */
  view: View;
  onView: (view: View) => void;
};

/** It tells the list what to show, and renders nothing itself. A list that is not displayed stays as it is, and another layout begins anew. */
export function ListWindow(props: Props) {
  const { list } = props;
  const layout = useSyncExternalStore(
    useCallback(changed => onResize(list, changed), [list]),
    () => layoutOf(list),
  );
  return layout === '' ? null : <Lines key={layout} {...props} layout={layout} />;
}

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;

/** What useWindowVirtualizer takes for the page in the place of an element. */
const OF_PAGE = {
  getScrollElement: () => window,
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
} as unknown as Options;

function Lines({ list, name, count, most, pages, view, layout, onView }: Props & { layout: string }) {
  const { columns, isRow } = JSON.parse(layout) as Layout;
  const scroller = scrollerOf(list, isRow);
  const [saved] = useState(() => (scroller ? undefined : savedPositions.get(name)));
  const isSame = saved?.layout === layout;
  const [size] = useState(() => sizeOf(list.children[0], columns, isRow));
  // Where the list begins in what scrolls it.
  const scrolled = scroller ? scroller[isRow ? 'scrollLeft' : 'scrollTop'] : window.scrollY;
  const margin = startOf(list, isRow) + scrolled - (scroller ? startOf(scroller, isRow) : 0);
  /** The line that the focus leaves by Tab, while the screen still shows others from `first` on. */
  const [left, setLeft] = useState<{ line: number; first: number }>();

  // eslint-disable-next-line react-hooks/incompatible-library -- the compiler does not run, so nothing is memoized
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    ...(scroller ? { getScrollElement: () => scroller } : OF_PAGE),
    count: Math.ceil(count / columns),
    estimateSize: () => size,
    horizontal: isRow,
    scrollMargin: margin,
    indexAttribute: 'data-line',
    measureElement: (line, _, { itemSizeCache, indexFromElement }) =>
      isInRange(line) ? sizeOf(line, columns, isRow) : (itemSizeCache.get(indexFromElement(line)) ?? size),
    initialOffset: isSame ? margin + saved.offset : scrolled,
    initialMeasurementsCache: isSame ? saved.lines : [],
    rangeExtractor: range =>
      left?.first === range.startIndex
        ? linesAround(left.line, left.line, most / columns, range.count)
        : linesAround(range.startIndex, range.endIndex, most / columns, range.count),
  });
  const lines = virtualizer.getVirtualItems();
  const { startIndex, endIndex } = virtualizer.range ?? { startIndex: -1, endIndex: -1 };

  useLayoutEffect(() => {
    const focused = focusedIn(list, view);
    const [first, last] = [lines[0], lines[lines.length - 1]];
    if (!first || !last) return;
    const [from, to] = [first.index * columns, (last.index + 1) * columns];
    const before = first.start - margin;
    const after = virtualizer.getTotalSize() - (last.end - margin);
    const kept = focused < 0 || (focused >= from && focused < to) ? undefined : focused;
    const keptAt = virtualizer.measurementsCache[Math.floor((kept ?? 0) / columns)]?.start ?? 0;
    onView({
      from,
      to,
      style: {
        position: 'relative',
        ...(isRow
          ? { paddingLeft: before, paddingRight: after }
          : { paddingTop: before, paddingBottom: after }),
      },
      ...(kept !== undefined && {
        kept,
        keptStyle: { position: 'absolute', [isRow ? 'left' : 'top']: keptAt - margin },
      }),
    });
  });

  // The last line in the document is measured once the next one is there.
  useLayoutEffect(() => {
    if (view.from % columns > 0) return;
    const items = [...list.children].filter(isInRange);
    const measured = view.to >= count ? items.length : items.length - columns;
    for (let place = 0; place < measured; place += columns) {
      const item = items[place] as HTMLElement;
      item.dataset.line = String((view.from + place) / columns);
      virtualizer.measureElement(item);
    }
    virtualizer.measureElement(null);
  });

  // Two screens before the end.
  const isNearEnd =
    size > 0 && endIndex >= 0 && Math.ceil(count / columns) - 1 - endIndex < 2 * (endIndex - startIndex + 1);
  useEffect(() => {
    if (isNearEnd && pages?.hasNextPage && !pages.isFetchingNextPage && !pages.isFetchNextPageError)
      pages.fetchNextPage();
  }, [isNearEnd, pages]);

  const onStart = useEffectEvent(() => {
    const saved = scroller ? undefined : savedPositions.get(name);
    if (!saved) return;
    if (saved.layout !== layout)
      virtualizer.scrollToIndex(Math.floor(saved.item / columns), { align: 'start' });
    const item = focusedIn(list, view) < 0 && list.children[saved.focused - view.from];
    if (item) item.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  });
  const onLeave = useEffectEvent(() => {
    if (scroller || startIndex < 0 || list.getClientRects().length === 0) return;
    savedPositions.delete(name);
    savedPositions.set(name, {
      layout,
      view,
      lines: virtualizer.takeSnapshot(),
      offset: (virtualizer.scrollOffset ?? 0) - margin,
      item: startIndex * columns,
      focused: focusedIn(list, view),
    });
    const [oldest = ''] = savedPositions.keys();
    if (savedPositions.size > MAX_SAVED) savedPositions.delete(oldest);
  });
  /** Before the Tab key moves the focus, renders the neighbours of the focused item, which may be out of view. */
  const onTab = useEffectEvent(() => {
    const item = focusedIn(list, view);
    if (item < 0 || (item >= view.from && item < view.to)) return;
    flushSync(() => setLeft({ line: Math.floor(item / columns), first: startIndex }));
  });
  useLayoutEffect(() => {
    const root = scroller ?? document.documentElement;
    const tab = (event: KeyboardEvent) => event.key === 'Tab' && onTab();
    // Content above the screen changes its size only where the virtualizer corrects the position; the browser must not correct it, too.
    root.style.setProperty('overflow-anchor', 'none');
    list.addEventListener('keydown', tab);
    onStart();
    return () => {
      onLeave();
      root.style.removeProperty('overflow-anchor');
      list.removeEventListener('keydown', tab);
    };
  }, [list, scroller]);
  return null;
}

/** By steps, so that the list changes once in many lines. */
function linesAround(first: number, last: number, most: number, count: number): number[] {
  const needed = last - first + 1;
  const step = Math.max(1, Math.floor((most - needed) / 4));
  const from = Math.max(0, Math.floor(first / step - 1) * step);
  const to = Math.min(count, Math.ceil((last + 1) / step + 1) * step);
  return Array.from({ length: to - from }, (_, line) => from + line);
}

/** The kept item stands beside the range. */
const isInRange = (item: Element) => item instanceof HTMLElement && item.style.position === '';

/** The item with the focus, or -1. */
function focusedIn(list: HTMLElement, { from, kept }: View): number {
  const item = [...list.children].find(each => each.contains(document.activeElement));
  if (!item) return -1;
  return isInRange(item) ? from + [...list.children].filter(isInRange).indexOf(item) : (kept ?? -1);
}

const startOf = (each: Element, isRow: boolean) => each.getBoundingClientRect()[isRow ? 'left' : 'top'];

/** The distance of a line's first item from that of the next line: the gap is in it. For the last line, its own size. */
function sizeOf(item: Element | undefined, columns: number, isRow: boolean): number {
  if (!item) return 0;
  let next: Element | null = item;
  for (let place = 0; place < columns; place++) next = next?.nextElementSibling ?? null;
  const distance = next && isInRange(next) ? startOf(next, isRow) - startOf(item, isRow) : 0;
  return distance > 0 ? distance : item.getBoundingClientRect()[isRow ? 'width' : 'height'];
}

/** The layout as text, so that it can be compared; empty where the list is not displayed. */
function layoutOf(list: HTMLElement): string {
  if (list.getClientRects().length === 0) return '';
  const { display, flexDirection, gridTemplateColumns } = getComputedStyle(list);
  const isRow = display === 'flex' && flexDirection === 'row';
  const columns = display === 'grid' ? gridTemplateColumns.split(' ').length : 1;
  return JSON.stringify({ columns, isRow, width: isRow ? 0 : list.clientWidth } satisfies Layout);
}

function onResize(list: HTMLElement, changed: () => void): () => void {
  const observer = 'ResizeObserver' in window ? new ResizeObserver(changed) : undefined;
  observer?.observe(list);
  window.addEventListener('resize', changed);
  return () => {
    observer?.disconnect();
    window.removeEventListener('resize', changed);
  };
}

/** The scroll container of the list: the nearest ancestor that scrolls in its direction; `undefined` for the page. */
function scrollerOf(list: HTMLElement, isRow: boolean): HTMLElement | undefined {
  for (let box = list.parentElement; box && box !== document.body; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    if (/auto|scroll/.test(isRow ? overflowX : overflowY)) return box;
  }
  return undefined;
}
