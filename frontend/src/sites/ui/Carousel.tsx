/**
 * A row of slides. It starts as a scroll-snap list, which needs no script. When the row is in view and the browser is idle, Swiper moves the
 * same elements (a loop for long rows). Rows in view move by themselves, all at once (carousel-beat.ts); one that was touched stops for good.
 */

import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFirstScreen } from '../hydration';
import { t } from '../messages';
import { BackIcon } from './BackIcon';
import { useBeat, usePause } from './carousel-beat';
import { wantsLessData, wantsLessMotion, whenIdle } from './device';
import { NextIcon, PauseIcon, PlayIcon } from './icons';
import { useNearViewport } from './near-viewport';
import type { Shape, startSwiper } from './swiper';
import './carousel.css';

/** `copy`: a copy for Swiper's loop. `near`: the row is near the viewport, so its pictures may load. */
type Slide = { key: string; body: (copy: boolean, near: boolean) => ReactNode };

type Props = {
  label: string;
  heading?: ReactNode;
  slides: Slide[];
  shape: Shape;
  /** Visible on the first screen. */
  eager?: boolean;
};

/** Slides on the first screen: four on a wide screen, and a partly visible one. */
const FIRST_SLIDES = 5;

type Start = typeof startSwiper;

/** The rows that were touched since the page was loaded. */
const touchedRows = new Set<string>();

/** Settles when the previous row has loaded. */
let queue: Promise<unknown> = Promise.resolve();

/** Rows load one after the other, so that several do not start at the same time. */
function loadSwiper(): Promise<Start> {
  const load = queue.then(
    () =>
      new Promise<Start>((resolve, reject) =>
        whenIdle(() =>
          import(/* webpackChunkName: "swiper" */ './swiper').then(m => resolve(m.startSwiper), reject),
        ),
      ),
  );
  queue = load.catch(() => undefined);
  return load;
}

export function Carousel({ label, heading, slides, shape, eager = false }: Props) {
  const section = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const swiper = useRef<ReturnType<Start>>(null);
  const [start, setStart] = useState<Start | null>(null);
  const [inView, setInView] = useState(false);
  const near = useNearViewport(section, eager);
  const onScreen = useFirstScreen();
  const several = slides.length > (shape === 'banner' ? 1 : 2);
  const loops = slides.length > (shape === 'banner' ? 1 : 3);
  const [touched, setTouched] = useState(() => touchedRows.has(label));
  const touch = useCallback(() => {
    touchedRows.add(label);
    setTouched(true);
  }, [label]);
  const pause = usePause(section, start !== null);
  const moving = start !== null && inView && !pause.paused && !touched;
  // Swiper changes the order of the elements of a loop, so other slides get a list of their own.
  const content = slides.map(({ key }) => key).join();

  useEffect(() => {
    if (!section.current) return;
    const observer = new IntersectionObserver(
      entries => setInView(entries.some(entry => entry.isIntersecting)),
      {
        threshold: 0.4,
      },
    );
    observer.observe(section.current);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!inView || !several || start || wantsLessMotion() || wantsLessData()) return;
    // On a wide screen three slides fit, so there is nothing to scroll.
    if (slides.length < 4 && row.current && row.current.scrollWidth <= row.current.clientWidth) return;
    let unmounted = false;
    loadSwiper().then(
      found => {
        // A row that the visitor has scrolled stays as it is: Swiper would start at the first slide.
        if (!unmounted && !row.current?.scrollLeft) setStart(() => found);
      },
      error => console.info('Swiper could not be loaded', error),
    );
    return () => {
      unmounted = true;
    };
  }, [inView, several, slides.length, start]);

  // Before the browser paints: Swiper's class names alone would move the slides.
  // `content` identifies the elements in the box.
  useLayoutEffect(() => {
    if (!start || !box.current) return;
    const started = start(box.current, shape, loops, touch);
    swiper.current = started;
    return () => {
      swiper.current = null;
      started.destroy();
    };
  }, [start, content, shape, loops, touch]);

  // Rows out of view do not move, to save battery and data; nor does one under the mouse or with the focus.
  const advance = useCallback(() => {
    const row = section.current;
    if (!swiper.current || row?.matches(':hover') || row?.contains(document.activeElement)) return;
    if (swiper.current.isEnd && !loops) swiper.current.slideTo(0);
    else swiper.current.slideNext();
  }, [loops]);
  useBeat(moving, advance);

  const step = (by: 1 | -1) => {
    touch();
    if (swiper.current) return by > 0 ? swiper.current.slideNext() : swiper.current.slidePrev();
    const list = row.current;
    list?.scrollBy({ left: by * list.clientWidth, behavior: wantsLessMotion() ? 'auto' : 'smooth' });
  };

  // Cards of rows that are far away are not rendered.
  const shown = start ? slides : near ? onScreen(slides, FIRST_SLIDES) : slides.slice(0, FIRST_SLIDES);
  // With exactly four slides in four columns Swiper has nothing to scroll and disables itself.
  const copies = start && shape === 'row' && slides.length === 4 ? [false, true] : [false];

  return (
    <section
      ref={section}
      className={`carousel carousel-${shape}`}
      aria-label={label}
      aria-roledescription={t('carousel')}
      data-moving={moving}
    >
      <div className="carousel-head">
        {heading}
        {several && (
          <div className="carousel-controls">
            {pause.isFirst && (
              <button
                type="button"
                className="icon-button"
                aria-label={t(pause.paused ? 'play-rows' : 'pause-rows')}
                onClick={pause.toggle}
              >
                {pause.paused ? <PlayIcon /> : <PauseIcon />}
              </button>
            )}
            <button
              type="button"
              className="icon-button carousel-step"
              aria-label={t('previous-in', { row: label })}
              onClick={() => step(-1)}
            >
              <BackIcon />
            </button>
            <button
              type="button"
              className="icon-button carousel-step"
              aria-label={t('next-in', { row: label })}
              onClick={() => step(1)}
            >
              <NextIcon />
            </button>
          </div>
        )}
      </div>
      <div ref={box} key={content} className={start ? 'swiper' : undefined}>
        <ul ref={row} className={start ? 'swiper-wrapper' : 'carousel-list'}>
          {copies.flatMap(copy =>
            shown.map(slide => (
              <li key={`${slide.key}${copy ? '-copy' : ''}`} className={start ? 'swiper-slide' : undefined}>
                {slide.body(copy, near)}
              </li>
            )),
          )}
        </ul>
      </div>
    </section>
  );
}
