/** What goes with a video is the others: the one on the screen is not offered again. */
export const others = <T extends { id: number }>(videos: T[], shown: { id: number }): T[] =>
  videos.filter(video => video.id !== shown.id);

/** What is offered at the end of a video: the one after it in the list, and after the last one the first. */
export const following = <T extends { id: number }>(videos: T[], shown: { id: number }): T | undefined =>
  videos[videos.findIndex(({ id }) => id === shown.id) + 1] ?? others(videos, shown)[0];
