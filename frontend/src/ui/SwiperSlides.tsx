/** The only module that imports Swiper. */
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Swiper as SwiperInstance } from 'swiper';
import { Autoplay } from 'swiper/modules';
import { Swiper, SwiperSlide } from 'swiper/react';
import type { Slide } from './Carousel';
import 'swiper/css';

export type SlidesControl = { step: (by: 1 | -1) => void };
export type SwiperSlidesProps = {
  ref: Ref<SlidesControl>;
  slides: Slide[];
  shape: 'row' | 'banner';
  moving: boolean;
  near: boolean;
  /** Called when the visitor moves the slides, which stops autoplay. */
  onStopped: () => void;
};

const SHAPES = {
  row: {
    slidesPerView: 2,
    breakpoints: { 768: { slidesPerView: 4 } },
    spaceBetween: 12,
    speed: 500,
    delay: 3000,
  },
  banner: { slidesPerView: 1, breakpoints: {}, spaceBetween: 0, speed: 800, delay: 4000 },
};

export function SwiperSlides({ ref, slides, shape, moving, near, onStopped }: SwiperSlidesProps) {
  const swiper = useRef<SwiperInstance>(null);
  const { delay, ...layout } = SHAPES[shape];
  const endless = slides.length > (shape === 'banner' ? 1 : 3);
  // With exactly four slides in four columns Swiper has nothing to scroll and disables itself.
  const copies = shape === 'row' && slides.length === 4 ? [false, true] : [false];

  useImperativeHandle(ref, () => ({
    step: by => (by > 0 ? swiper.current?.slideNext() : swiper.current?.slidePrev()),
  }));

  // Rows out of view do not autoplay, to save battery and data.
  useEffect(() => {
    if (moving) swiper.current?.autoplay.start();
    else swiper.current?.autoplay.stop();
  }, [moving]);

  return (
    <Swiper
      {...layout}
      modules={[Autoplay]}
      loop={endless}
      autoplay={{ delay, pauseOnMouseEnter: true, disableOnInteraction: true }}
      watchOverflow
      wrapperTag="ul"
      onAutoplayStop={() => moving && onStopped()}
      onSwiper={instance => {
        swiper.current = instance;
      }}
    >
      {copies.flatMap(copy =>
        slides.map(slide => (
          <SwiperSlide tag="li" key={`${slide.key}${copy ? '-copy' : ''}`}>
            {slide.body(copy, near)}
          </SwiperSlide>
        )),
      )}
    </Swiper>
  );
}
