/**
 * Which part of a long list is in the document. Lines (a line is a row of a grid, or one item of a plain list) are measured while they
 * are in it. Padding of the list takes the room of those that are not.
 */
import type { CSSProperties } from 'react';
import { flushSync } from 'react-dom';
import type { Pages } from './EndlessList';

export { ListEnd } from './ListEnd';

export type Range = {
  from: number;
  to: number;
  /** The item outside of the range that has the focus, where there is one. */
  kept?: number;
  /** The list's padding. */
  style?: CSSProperties;
  /** Where the kept item is. */
  keptStyle?: CSSProperties;
};

export type ListWindow = {
  /** The list has been rendered, with so many items that are loaded. */
  rendered: (count: number, pages: Pages | undefined) => void;
  stop: () => void;
};

/** What is on the screen: an item, and how far it is from the beginning of what scrolls. */
type Anchor = { item: number; at: number };

type Place = {
  range: Range;
  sizes: number[];
  size: number;
  columns: number;
  width: number;
  anchor: Anchor;
  focused: number;
};

/** Where each list was when the visitor left its page. */
const places = new Map<string, Place>();
const PLACES = 50;

export const rangeAt = (name: string): Range | undefined => places.get(name)?.range;

type Options = {
  /** A list of the same name is at the same place in the history. */
  name: string;
  /** So many items are in the document, or as many as the screen needs. */
  most: number;
  range: Range;
  show: (range: Range) => void;
};

export function windowOf(list: HTMLElement, options: Options): ListWindow {
  let range = options.range;
  let count = 0;
  let pages: Pages | undefined;
  let shownCount = -1;
  let columns = 1;
  let width = 0;
  let isRow = false;
  let scroller: HTMLElement | undefined;
  /** Of each line that was measured, with the gap to the next one. */
  let sizes: number[] = [];
  /** Of a line that was not. */
  let size = 0;
  let anchor: Anchor | undefined;
  let focused = -1;
  /** The browser is about to move the focus, and to scroll to it. */
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

  /** The first element that is an item of the range: before it may be the one that is kept for its focus. */
  const firstChild = () => ((range.kept ?? range.from) < range.from ? 1 : 0);
  const elementOf = (item: number): Element | undefined =>
    item >= range.from && item < range.to ? list.children[item - range.from + firstChild()] : undefined;

  /** Answers whether the list is on the page and whether its lines are others than before. */
  function layOut(): { isThere: boolean; hasChanged: boolean } {
    if (list.getClientRects().length === 0) return { isThere: false, hasChanged: false };
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
    return { isThere: true, hasChanged };
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

  /** Puts the item back to where it was before lines above it turned out to be larger or smaller than expected. */
  function stay(): void {
    const element = anchor && elementOf(anchor.item);
    if (!anchor || !element) return;
    const moved = startOf(element) - viewStart() - anchor.at;
    if (Math.abs(moved) >= 1) scrollBy(moved);
  }

  /** The lines at the beginning and the end of the screen. */
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

  function around(first: number, last: number): Range {
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
    return framed(from * columns, to * columns);
  }

  function framed(from: number, to: number): Range {
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

  /** `now`: outside of a rendering. */
  function use(next: Range, now: boolean): void {
    const { from, to, kept } = range;
    if (from === next.from && to === next.to && kept === next.kept && count === shownCount) return;
    range = next;
    shownCount = count;
    // Nothing scrolls on between what was measured and what is shown. Within a rendering React sees to that by itself.
    if (now) flushSync(() => options.show(next));
    else options.show(next);
  }

  function locate(): { first: number; last: number } {
    const lines = visible();
    const item = lines.first * columns;
    const element = elementOf(item);
    const start = element ? startOf(element) : startOf(list) + sizeOf(0, lines.first);
    anchor = { item, at: start - viewStart() };
    return lines;
  }

  function goOn(): void {
    if (pages?.hasNextPage && !pages.isFetchingNextPage && !pages.isFetchNextPageError) pages.fetchNextPage();
  }

  function look(now: boolean): void {
    if (!size && count > 0) return;
    const { first, last } = locate();
    use(around(first, last), now);
    // Two screens before the end.
    if (lines() - 1 - last < 2 * (last - first + 1)) goOn();
  }

  /** Other columns, or another width: what was measured no longer holds, and what was on the screen stays on it. */
  function newLayout(now: boolean): void {
    sizes = [];
    size = 0;
    measure();
    sizes = [];
    const first = lineOf(anchor?.item ?? 0);
    shownCount = -1;
    use(around(first, first + Math.ceil(viewSize() / (size || viewSize() || 1))), now);
  }

  function check(): void {
    frame = 0;
    const { isThere, hasChanged } = layOut();
    if (!isThere) return;
    if (hasChanged) newLayout(true);
    else look(true);
  }
  const soon = () => {
    frame ||= requestAnimationFrame(check);
  };

  const target = () => scroller ?? window;
  // What is above the screen changes its size only here, where stay() makes up for it: not twice.
  const anchored = () => scroller ?? document.documentElement;
  function listen(): void {
    target().addEventListener('scroll', soon, { passive: true });
    anchored().style.setProperty('overflow-anchor', 'none');
  }
  function unlisten(): void {
    target().removeEventListener('scroll', soon);
    anchored().style.removeProperty('overflow-anchor');
  }

  const itemAt = (node: EventTarget | null): number => {
    const place = [...list.children].findIndex(each => node instanceof Node && each.contains(node));
    if (place < 0) return -1;
    const inRange = place - firstChild();
    const isKept = inRange < 0 || inRange >= range.to - range.from;
    return isKept ? (range.kept ?? -1) : range.from + inRange;
  };
  const focusIn = ({ target }: FocusEvent) => {
    focused = itemAt(target);
  };
  const focusOut = () => {
    focused = -1;
  };
  /** The Tab key leads from the item that has the focus to its neighbours, wherever the screen is. */
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || focused < 0 || (focused >= range.from && focused < range.to)) return;
    const line = lineOf(focused);
    followsFocus = true;
    use(around(line, line), true);
    followsFocus = false;
  };

  const resizes = 'ResizeObserver' in window ? new ResizeObserver(soon) : undefined;
  listen();
  resizes?.observe(list);
  window.addEventListener('resize', soon);
  list.addEventListener('focusin', focusIn);
  list.addEventListener('focusout', focusOut);
  list.addEventListener('keydown', key);
  focused = itemAt(document.activeElement);

  const place = places.get(options.name);
  const { isThere } = layOut();
  let returnTo = -1;
  if (place && isThere && !scroller) {
    anchor = place.anchor;
    returnTo = place.focused;
    if (place.columns === columns && Math.abs(place.width - width) <= 1) ({ sizes, size } = place);
  }
  let isFirst = true;

  return {
    rendered(loaded, latestPages) {
      count = loaded;
      pages = latestPages;
      if (followsFocus || list.getClientRects().length === 0) return;
      if (isFirst && place && anchor && !size) newLayout(false);
      measure();
      stay();
      if (isFirst && returnTo >= 0)
        elementOf(returnTo)?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
      isFirst = false;
      look(false);
    },
    stop() {
      cancelAnimationFrame(frame);
      if (!scroller && size && list.getClientRects().length > 0) {
        locate();
        if (anchor) places.set(options.name, { range, sizes, size, columns, width, anchor, focused });
        const [oldest] = places.keys();
        if (places.size > PLACES && oldest !== undefined) places.delete(oldest);
      }
      unlisten();
      resizes?.disconnect();
      window.removeEventListener('resize', soon);
      list.removeEventListener('focusin', focusIn);
      list.removeEventListener('focusout', focusOut);
      list.removeEventListener('keydown', key);
    },
  };
}

/** What scrolls the list: the nearest element around it that scrolls in its direction; `undefined` where it is the page. */
function scrollerOf(list: HTMLElement, isRow: boolean): HTMLElement | undefined {
  for (let box = list.parentElement; box && box !== document.body; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    if (/auto|scroll/.test(isRow ? overflowX : overflowY)) return box;
  }
  return undefined;
}
