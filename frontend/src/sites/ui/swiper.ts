/** The only module that imports Swiper. */
import Swiper from 'swiper';
import { Autoplay } from 'swiper/modules';
import 'swiper/css';

export type Shape = 'row' | 'banner';

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

/** Moves the slides in `box`, which has Swiper's class names already. `onAutoplayStop`: for any reason, a visitor's swipe included. */
export function startSwiper(
  box: HTMLElement,
  shape: Shape,
  loop: boolean,
  onAutoplayStop: () => void,
): Swiper {
  const { delay, ...layout } = SHAPES[shape];
  return new Swiper(box, {
    ...layout,
    modules: [Autoplay],
    loop,
    autoplay: { delay, pauseOnMouseEnter: true, disableOnInteraction: true },
    watchOverflow: true,
    on: { autoplayStop: onAutoplayStop },
  });
}
