/** Related videos without the video on the screen. */
export const others = <T extends { id: number }>(videos: T[], shown: { id: number }): T[] =>
  videos.filter(video => video.id !== shown.id);

/** The video after the shown one in the list; after the last one, the first. */
export const following = <T extends { id: number }>(videos: T[], shown: { id: number }): T | undefined =>
  upcoming(videos, shown, 1)[0];

/** The films of a row that are saved together with one. */
export const ROW_TO_SAVE = 5;

/** So many videos after the shown one. */
export function upcoming<T extends { id: number }>(videos: T[], shown: { id: number }, count: number): T[] {
  const place = videos.findIndex(({ id }) => id === shown.id) + 1;
  return others([...videos.slice(place), ...videos.slice(0, place)], shown).slice(0, count);
}
