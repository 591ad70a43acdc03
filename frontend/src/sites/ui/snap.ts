/** A scroller that snaps: slides one after another, each as large as the box, of which those near the shown one are in the document. */
import {
  type CSSProperties,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { wantsLessMotion } from './device';

const AXES = {
  x: {
    size: 'clientWidth',
    scroll: 'scrollLeft',
    start: 'left',
    extent: 'width',
    next: /^ArrowRight$/,
    previous: /^ArrowLeft$/,
  },
  y: {
    size: 'clientHeight',
    scroll: 'scrollTop',
    start: 'top',
    extent: 'height',
    next: /^(Arrow|Page)Down$/,
    previous: /^(Arrow|Page)Up$/,
  },
} as const;

type Options = {
  axis: keyof typeof AXES;
  /** The shown slide. */
  place: number;
  last: number;
  /** A finger or a key has reached another slide. */
  onPlace: (place: number) => void;
  /** With another one `place` is shown without a movement. Undefined: nothing is there yet. */
  list: string | undefined;
};

const scrollAt = (box: HTMLElement, scroll: 'scrollLeft' | 'scrollTop', at: number) => {
  box[scroll] = at;
};

export function useSnap(box: RefObject<HTMLElement | null>, { axis, place, last, onPlace, list }: Options) {
  const names = AXES[axis];
  const [size, setSize] = useState(0);
  const reached = useRef(place);

  useLayoutEffect(() => {
    const measure = () => setSize(box.current?.[names.size] ?? 0);
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [box, names]);

  const jump = useEffectEvent(() => {
    if (!box.current || !size || list === undefined) return;
    reached.current = place;
    scrollAt(box.current, names.scroll, place * size);
  });
  // A screen that is turned has another size, and shows the same slide.
  useLayoutEffect(() => jump(), [size, list]);

  const onScroll = () => {
    if (!box.current || !size || list === undefined || box.current[names.size] !== size) return;
    const next = Math.max(0, Math.min(last, Math.round(box.current[names.scroll] / size)));
    if (next === reached.current) return;
    reached.current = next;
    onPlace(next);
  };

  const go = (to: number) => {
    if (!box.current) return;
    const at = Math.max(0, Math.min(last, to)) * size;
    if (!wantsLessMotion()) return box.current.scrollTo({ [names.start]: at, behavior: 'smooth' });
    scrollAt(box.current, names.scroll, at);
    onScroll();
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = names.next.test(event.key) ? 1 : names.previous.test(event.key) ? -1 : 0;
    if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    if ([...document.querySelectorAll('dialog[open]')].some(dialog => !dialog.contains(box.current))) return;
    // The browser would scroll by a few pixels, and a video with the focus would change its volume.
    event.preventDefault();
    event.stopPropagation();
    go(reached.current + by);
  });
  useEffect(() => {
    const key = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', key, true);
    return () => document.removeEventListener('keydown', key, true);
  }, []);

  return {
    go,
    onScroll,
    /** Of the list in the box. */
    extent: { [names.extent]: (last + 1) * size || undefined } as CSSProperties,
    /** Of a slide. */
    styleAt: (at: number): CSSProperties => ({ [names.start]: at * size, [names.extent]: size || undefined }),
  };
}
