/** Remembers which memes were on the screen. */
import { rememberSeen } from '../../memory';

let observer: IntersectionObserver | undefined;

/** The ref of a card whose id is what memory.ts calls the meme. */
export function seeCard(card: Element | null) {
  if (!card) return undefined;
  observer ??= new IntersectionObserver(
    entries => {
      const shown = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
      if (shown.length > 0) rememberSeen(...shown.map(({ id }) => id));
      for (const each of shown) observer?.unobserve(each);
    },
    { threshold: 0.5 },
  );
  observer.observe(card);
  return () => observer?.unobserve(card);
}
