/**
 * A row of slides. It starts as a plain scroll-snap list, which costs nothing; a row that comes into view
 * is then handed to Swiper (moving by itself, endless where it is long), one row at a time and only when the
 * browser is idle.
 */
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useFirstScreen } from '../hydration';
import { BackIcon } from './BackIcon';
import { wantsLessData, wantsLessMotion, whenIdle } from './device';
import { NextIcon, PauseIcon, PlayIcon } from './icons';
import { useNear } from './near';
import type { SlidesControl, SwiperSlidesProps } from './SwiperSlides';
import './carousel.css';

/** `near`: the row is on the screen or about to be; before that its pictures would only cost data. */
export type Slide = { key: string; body: (copy: boolean, near: boolean) => ReactNode };

type Props = {
  label: string;
  heading?: ReactNode;
  slides: Slide[];
  shape: 'row' | 'banner';
  /** On the screen from the beginning. */
  eager?: boolean;
};

/** Slides that show at a time on a wide screen, and the one that peeps in. */
const ABREAST = 5;

let turn: Promise<unknown> = Promise.resolve();

/** Rows wait for each other, so that several never mount in the same moment. */
function loadSwiper(): Promise<ComponentType<SwiperSlidesProps>> {
  const mine = turn.then(
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
  turn = mine.catch(() => undefined);
  return mine;
}

export function Carousel({ label, heading, slides, shape, eager = false }: Props) {
  const section = useRef<HTMLElement>(null);
  const row = useRef<HTMLUListElement>(null);
  const control = useRef<SlidesControl>(null);
  const [Slides, setSlides] = useState<ComponentType<SwiperSlidesProps> | null>(null);
  const [inView, setInView] = useState(false);
  const near = useNear(section, eager);
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
    // Three on a wide screen stand side by side, with no place to move to.
    if (slides.length < 4 && row.current && row.current.scrollWidth <= row.current.clientWidth) return;
    let gone = false;
    loadSwiper().then(
      found => {
        // A row that the visitor scrolls already stays as it is: Swiper would begin at the first slide.
        if (!gone && !row.current?.scrollLeft) setSlides(() => found);
      },
      error => console.info('Carousel stays a plain row', error),
    );
    return () => {
      gone = true;
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
      aria-roledescription="carousel"
    >
      <div className="carousel-head">
        {heading}
        {several && (
          <div className="carousel-controls">
            {Slides && (
              <button
                type="button"
                className="icon-button"
                aria-label={paused ? `Play ${label}` : `Pause ${label}`}
                onClick={() => setPaused(before => !before)}
              >
                {paused ? <PlayIcon /> : <PauseIcon />}
              </button>
            )}
            <button
              type="button"
              className="icon-button carousel-step"
              aria-label={`Previous in ${label}`}
              onClick={() => step(-1)}
            >
              <BackIcon />
            </button>
            <button
              type="button"
              className="icon-button carousel-step"
              aria-label={`Next in ${label}`}
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
          {onScreen(slides, ABREAST).map(slide => (
            <li key={slide.key}>{slide.body(false, near)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
