/** The films that were started on this phone and not finished. */
import { type Film, savedPositions, savePositions } from './resume';

export type UnfinishedFilm = Film & { source: string; second: number };

/** The films of a brand (by label), the latest first. The last 5 % are the credits. */
export const unfinishedFilms = (brand: string): UnfinishedFilm[] =>
  savedPositions().flatMap(([source, second, film]) =>
    film?.brand === brand && second < film.seconds * 0.95 ? [{ ...film, source, second }] : [],
  );

export const removeFilm = (source: string): void =>
  savePositions(savedPositions().filter(([each]) => each !== source));
