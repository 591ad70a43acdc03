/** The only module that imports Swiper. */
import Swiper from 'swiper';
import 'swiper/css';

export type Shape = 'row' | 'banner';

const SHAPES = {
  row: {
    slidesPerView: 2,
    breakpoints: { 768: { slidesPerView: 4 } },
    spaceBetween: 12,
    speed: 500,
  },
  banner: { slidesPerView: 1, breakpoints: {}, spaceBetween: 0, speed: 800 },
};

/** Moves the slides in `box`, which has Swiper's class names already. `onTouch`: by a finger or a mouse. */
export function startSwiper(box: HTMLElement, shape: Shape, loop: boolean, onTouch: () => void): Swiper {
  return new Swiper(box, {
    ...SHAPES[shape],
    loop,
    watchOverflow: true,
    on: { touchStart: onTouch },
  });
}
