/** What goes with a video is the others: the one on the screen is not offered again. */
export const others = <T extends { id: number }>(videos: T[], shown: { id: number }): T[] =>
  videos.filter(video => video.id !== shown.id);
