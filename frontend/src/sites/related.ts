/** Related videos without the video on the screen. */
export const others = <T extends { id: number }>(videos: T[], shown: { id: number }): T[] =>
  videos.filter(video => video.id !== shown.id);

/** The video after the shown one in the list; after the last one, the first. */
export const following = <T extends { id: number }>(videos: T[], shown: { id: number }): T | undefined =>
  videos[videos.findIndex(({ id }) => id === shown.id) + 1] ?? others(videos, shown)[0];
