/**
 * Windowing of long lists: selects the range of items in the document. Lines (a line is a row of a grid, or one item of a list) are measured
 * while they are in the document. Padding of the list replaces the others.
 */
import type { CSSProperties } from 'react';
import { flushSync } from 'react-dom';
import type { Pages } from './EndlessList';

export { ListEnd } from './ListEnd';

export type Range = {
  from: number;
  to: number;
  /** The focused item, if it is outside of the range. */
  kept?: number;
  /** The list's padding. */
  style?: CSSProperties;
  /** The position of the kept item. */
  keptStyle?: CSSProperties;
};

export type ListWindow = {
  /** Call after each rendering of the list, with the number of loaded items. */
  rendered: (count: number, pages: Pages | undefined) => void;
  stop: () => void;
};

/** The first visible item, and its distance from the beginning of the scroll container. */
type Anchor = { item: number; at: number };

type SavedPosition = {
  range: Range;
  sizes: number[];
  size: number;
  columns: number;
  width: number;
  anchor: Anchor;
  focused: number;
};

/** The position of each list when the visitor left its page. */
const savedPositions = new Map<string, SavedPosition>();
const MAX_SAVED = 50;

export const rangeAt = (name: string): Range | undefined => savedPositions.get(name)?.range;

type Options = {
  /** The key of the saved position: the same for the same list at the same history entry. */
  name: string;
  /** The most items in the document, unless the screen needs more. */
  most: number;
  range: Range;
  show: (range: Range) => void;
};

export function createListWindow(list: HTMLElement, options: Options): ListWindow {
  let range = options.range;
  let count = 0;
  let pages: Pages | undefined;
  let shownCount = -1;
  let columns = 1;
  let width = 0;
  let isRow = false;
  let scroller: HTMLElement | undefined;
  /** The size of each measured line, including the gap to the next. */
  let sizes: number[] = [];
  /** The estimated size of lines that were not measured. */
  let size = 0;
  let anchor: Anchor | undefined;
  let focused = -1;
  /** True while the browser moves the focus and scrolls to it. */
  let followsFocus = false;
  let frame = 0;

  const startOf = (each: Element) => each.getBoundingClientRect()[isRow ? 'left' : 'top'];
  const viewStart = () => (scroller ? startOf(scroller) : 0);
  const viewSize = () => {
    const box = scroller ?? document.documentElement;
    return isRow ? box.clientWidth : box.clientHeight;
  };
  const scrollBy = (by: number) => (scroller ?? window).scrollBy(isRow ? by : 0, isRow ? 0 : by);

  const lineOf = (item: number) => Math.floor(item / columns);
  const lines = () => Math.ceil(count / columns);
  const sizeOf = (from: number, to: number) => {
    let sum = 0;
    for (let line = from; line < to; line++) sum += sizes[line] ?? size;
    return sum;
  };

  /** The index of the range's first element: the kept item may precede it. */
  const firstChild = () => ((range.kept ?? range.from) < range.from ? 1 : 0);
  const elementOf = (item: number): Element | undefined =>
    item >= range.from && item < range.to ? list.children[item - range.from + firstChild()] : undefined;

  /** Reads the layout. Returns whether the list is displayed and whether its columns or width have changed. */
  function readLayout(): { isDisplayed: boolean; hasChanged: boolean } {
    if (list.getClientRects().length === 0) return { isDisplayed: false, hasChanged: false };
    const style = getComputedStyle(list);
    isRow = style.display === 'flex' && style.flexDirection === 'row';
    const now = style.display === 'grid' ? style.gridTemplateColumns.split(' ').length : 1;
    const wide = isRow ? 0 : list.clientWidth;
    const hasChanged = now !== columns || Math.abs(wide - width) > 1;
    columns = now;
    width = wide;
    const next = scrollerOf(list, isRow);
    if (next !== scroller) {
      unlisten();
      scroller = next;
      listen();
    }
    return { isDisplayed: true, hasChanged };
  }

  function measure(): void {
    const items = [...list.children].slice(firstChild(), firstChild() + range.to - range.from);
    let last = -1;
    for (let place = 0; place + columns < items.length; place += columns) {
      const next = startOf(items[place + columns] as Element) - startOf(items[place] as Element);
      if (next <= 0) continue;
      sizes[lineOf(range.from + place)] = next;
      last = next;
    }
    const only = items[0]?.getBoundingClientRect();
    if (!size && only) size = last > 0 ? last : isRow ? only.width : only.height;
  }

  /** Scrolls the anchor back to its position after the size of lines above it has changed. */
  function restoreAnchor(): void {
    const element = anchor && elementOf(anchor.item);
    if (!anchor || !element) return;
    const moved = startOf(element) - viewStart() - anchor.at;
    if (Math.abs(moved) >= 1) scrollBy(moved);
  }

  /** The first and last visible lines. */
  function visible(): { first: number; last: number } {
    const offset = viewStart() - startOf(list);
    let line = 0;
    let start = 0;
    const until = lines() - 1;
    const next = () => start + (sizes[line] ?? size);
    while (line < until && next() <= offset) {
      start = next();
      line++;
    }
    const first = line;
    while (line < until && next() < offset + viewSize()) {
      start = next();
      line++;
    }
    return { first, last: line };
  }

  function rangeAround(first: number, last: number): Range {
    const needed = last - first + 1;
    const all = Math.max(Math.ceil(options.most / columns), needed + 4);
    const spare = Math.floor((all - needed) / 2);
    const [fromLine, toLine] = [lineOf(range.from), Math.ceil(range.to / columns)];
    const near = Math.ceil(spare / 2);
    const isEnough =
      range.from % columns === 0 &&
      toLine - fromLine <= all &&
      fromLine <= Math.max(0, first - near) &&
      toLine >= Math.min(lines(), last + 1 + near);
    const from = isEnough ? fromLine : Math.max(0, Math.min(first - spare, lines() - all));
    const to = isEnough ? toLine : from + all;
    return withPadding(from * columns, to * columns);
  }

  function withPadding(from: number, to: number): Range {
    const before = sizeOf(0, lineOf(from));
    const after = sizeOf(Math.min(lineOf(to), lines()), lines());
    const next: Range = {
      from,
      to,
      style: isRow
        ? { paddingLeft: before, paddingRight: after, position: 'relative' }
        : { paddingTop: before, paddingBottom: after, position: 'relative' },
    };
    if (focused < 0 || (focused >= from && focused < to)) return next;
    const at = sizeOf(0, lineOf(focused));
    return {
      ...next,
      kept: focused,
      keptStyle: { position: 'absolute', [isRow ? 'left' : 'top']: at },
    };
  }

  /** `now`: renders synchronously; only outside of a React rendering. */
  function apply(next: Range, now: boolean): void {
    const { from, to, kept } = range;
    if (from === next.from && to === next.to && kept === next.kept && count === shownCount) return;
    range = next;
    shownCount = count;
    // Renders before the next scroll event, so that the measurement still holds. Within a rendering React does so itself.
    if (now) flushSync(() => options.show(next));
    else options.show(next);
  }

  /** Sets the anchor to the first visible item. */
  function updateAnchor(): { first: number; last: number } {
    const lines = visible();
    const item = lines.first * columns;
    const element = elementOf(item);
    const start = element ? startOf(element) : startOf(list) + sizeOf(0, lines.first);
    anchor = { item, at: start - viewStart() };
    return lines;
  }

  function loadMore(): void {
    if (pages?.hasNextPage && !pages.isFetchingNextPage && !pages.isFetchNextPageError) pages.fetchNextPage();
  }

  function update(now: boolean): void {
    if (!size && count > 0) return;
    const { first, last } = updateAnchor();
    apply(rangeAround(first, last), now);
    // Two screens before the end.
    if (lines() - 1 - last < 2 * (last - first + 1)) loadMore();
  }

  /** After a change of columns or width: discards the measurements, and keeps the anchor on the screen. */
  function resetLayout(now: boolean): void {
    sizes = [];
    size = 0;
    measure();
    sizes = [];
    const first = lineOf(anchor?.item ?? 0);
    shownCount = -1;
    apply(rangeAround(first, first + Math.ceil(viewSize() / (size || viewSize() || 1))), now);
  }

  function check(): void {
    frame = 0;
    const { isDisplayed, hasChanged } = readLayout();
    if (!isDisplayed) return;
    if (hasChanged) resetLayout(true);
    else update(true);
  }
  const scheduleCheck = () => {
    frame ||= requestAnimationFrame(check);
  };

  const target = () => scroller ?? window;
  // Content above the screen changes its size only here, where restoreAnchor() corrects it; the browser must not correct it, too.
  const anchorRoot = () => scroller ?? document.documentElement;
  function listen(): void {
    target().addEventListener('scroll', scheduleCheck, { passive: true });
    anchorRoot().style.setProperty('overflow-anchor', 'none');
  }
  function unlisten(): void {
    target().removeEventListener('scroll', scheduleCheck);
    anchorRoot().style.removeProperty('overflow-anchor');
  }

  const itemAt = (node: EventTarget | null): number => {
    const place = [...list.children].findIndex(each => node instanceof Node && each.contains(node));
    if (place < 0) return -1;
    const inRange = place - firstChild();
    const isKept = inRange < 0 || inRange >= range.to - range.from;
    return isKept ? (range.kept ?? -1) : range.from + inRange;
  };
  const onFocusIn = ({ target }: FocusEvent) => {
    focused = itemAt(target);
  };
  const onFocusOut = () => {
    focused = -1;
  };
  /** Before the Tab key moves the focus, renders the neighbours of the focused item, which may be out of view. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || focused < 0 || (focused >= range.from && focused < range.to)) return;
    const line = lineOf(focused);
    followsFocus = true;
    apply(rangeAround(line, line), true);
    followsFocus = false;
  };

  const resizes = 'ResizeObserver' in window ? new ResizeObserver(scheduleCheck) : undefined;
  listen();
  resizes?.observe(list);
  window.addEventListener('resize', scheduleCheck);
  list.addEventListener('focusin', onFocusIn);
  list.addEventListener('focusout', onFocusOut);
  list.addEventListener('keydown', onKeyDown);
  focused = itemAt(document.activeElement);

  const saved = savedPositions.get(options.name);
  const { isDisplayed } = readLayout();
  let returnTo = -1;
  if (saved && isDisplayed && !scroller) {
    anchor = saved.anchor;
    returnTo = saved.focused;
    if (saved.columns === columns && Math.abs(saved.width - width) <= 1) ({ sizes, size } = saved);
  }
  let isFirst = true;

  return {
    rendered(loaded, latestPages) {
      count = loaded;
      pages = latestPages;
      if (followsFocus || list.getClientRects().length === 0) return;
      if (isFirst && saved && anchor && !size) resetLayout(false);
      measure();
      restoreAnchor();
      if (isFirst && returnTo >= 0)
        elementOf(returnTo)?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
      isFirst = false;
      update(false);
    },
    stop() {
      cancelAnimationFrame(frame);
      if (!scroller && size && list.getClientRects().length > 0) {
        updateAnchor();
        if (anchor) savedPositions.set(options.name, { range, sizes, size, columns, width, anchor, focused });
        const [oldest] = savedPositions.keys();
        if (savedPositions.size > MAX_SAVED && oldest !== undefined) savedPositions.delete(oldest);
      }
      unlisten();
      resizes?.disconnect();
      window.removeEventListener('resize', scheduleCheck);
      list.removeEventListener('focusin', onFocusIn);
      list.removeEventListener('focusout', onFocusOut);
      list.removeEventListener('keydown', onKeyDown);
    },
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
