/**
 * A row of slides. It starts as a scroll-snap list, which needs no script. When the row is in view and the browser is idle, Swiper replaces
 * the list (autoplay, and a loop for long rows), one row at a time.
 */

import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useFirstScreen } from '../hydration';
import { t } from '../messages';
import { BackIcon } from './BackIcon';
import { wantsLessData, wantsLessMotion, whenIdle } from './device';
import { NextIcon, PauseIcon, PlayIcon } from './icons';
import { useNearViewport } from './near-viewport';
import type { SlidesControl, SwiperSlidesProps } from './SwiperSlides';
import './carousel.css';

/** `copy`: a copy for Swiper's loop. `near`: the row is near the viewport, so its pictures may load. */
export type Slide = { key: string; body: (copy: boolean, near: boolean) => ReactNode };

type Props = {
  label: string;
  heading?: ReactNode;
  slides: Slide[];
  shape: 'row' | 'banner';
  /** Visible on the first screen. */
  eager?: boolean;
};

/** Slides on the first screen: four on a wide screen, and a partly visible one. */
const FIRST_SLIDES = 5;

/** Settles when the previous row has loaded. */
let queue: Promise<unknown> = Promise.resolve();

/** Rows load one after the other, so that several do not mount at the same time. */
function loadSwiper(): Promise<ComponentType<SwiperSlidesProps>> {
  const load = queue.then(
    () =>
      new Promise<ComponentType<SwiperSlidesProps>>((resolve, reject) =>
        whenIdle(() =>
          import(/* webpackChunkName: "swiper" */ './SwiperSlides').then(
            m => resolve(m.SwiperSlides),
            reject,
          ),
        ),
      ),
  );
  queue = load.catch(() => undefined);
  return load;
}

export function Carousel({ label, heading, slides, shape, eager = false }: Props) {
  const section = useRef<HTMLElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const control = useRef<SlidesControl>(null);
  const [Slides, setSlides] = useState<ComponentType<SwiperSlidesProps> | null>(null);
  const [inView, setInView] = useState(false);
  const near = useNearViewport(section, eager);
  const onScreen = useFirstScreen();
  const [paused, setPaused] = useState(false);
  const several = slides.length > (shape === 'banner' ? 1 : 2);

  useEffect(() => {
    if (!section.current || !('IntersectionObserver' in window)) return;
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
    if (!inView || !several || Slides || wantsLessMotion() || wantsLessData()) return;
    // On a wide screen three slides fit, so there is nothing to scroll.
    if (slides.length < 4 && row.current && row.current.scrollWidth <= row.current.clientWidth) return;
    let unmounted = false;
    loadSwiper().then(
      found => {
        // A row that the visitor has scrolled is not replaced: Swiper would start at the first slide.
        if (!unmounted && !row.current?.scrollLeft) setSlides(() => found);
      },
      error => console.info('Swiper could not be loaded', error),
    );
    return () => {
      unmounted = true;
    };
  }, [inView, several, slides.length, Slides]);

  const step = (by: 1 | -1) => {
    if (control.current) return control.current.step(by);
    const list = row.current;
    list?.scrollBy({ left: by * list.clientWidth, behavior: wantsLessMotion() ? 'auto' : 'smooth' });
  };

  return (
    <section
      ref={section}
      className={`carousel carousel-${shape}`}
      aria-label={label}
      aria-roledescription={t('carousel')}
    >
      <div className="carousel-head">
        {heading}
        {several && (
          <div className="carousel-controls">
            {Slides && (
              <button
                type="button"
                className="icon-button"
                aria-label={t(paused ? 'play-row' : 'pause-row', { row: label })}
                onClick={() => setPaused(before => !before)}
              >
                {paused ? <PlayIcon /> : <PauseIcon />}
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
      {Slides ? (
        <Slides
          ref={control}
          slides={slides}
          shape={shape}
          moving={inView && !paused}
          near={near}
          onStopped={() => setPaused(true)}
        />
      ) : (
        <ul ref={row} className="carousel-list">
          {onScreen(slides, FIRST_SLIDES).map(slide => (
            <li key={slide.key}>{slide.body(false, near)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
