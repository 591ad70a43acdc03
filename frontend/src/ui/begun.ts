/** The films that this phone has begun and not finished. */
import { type Film, keepPlaces, places } from './resume';

export type Begun = Film & { source: string; second: number };

/** Those of a brand (its label), the latest first. What is left of the last twentieth are the credits. */
export const begunFilms = (brand: string): Begun[] =>
  places().flatMap(([source, second, film]) =>
    film?.brand === brand && second < film.seconds * 0.95 ? [{ ...film, source, second }] : [],
  );

export const forget = (source: string): void => keepPlaces(places().filter(([each]) => each !== source));
