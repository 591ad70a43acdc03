/** What differs between comedians and footballers. Everything else in this folder serves both. */
import { type Flag, paths } from '../../paths';

type Id = number | string;

export type Flavour = {
  api: string;
  role: string;
  plural: string;
  grid: (artistId: Id, service: string, flag: Flag) => string;
  video: (id: Id, service: string, mid: Id) => string;
  /** Where a tap on a video leads when the grid was opened without a subscription. */
  refused: () => string;
  /** The last parameter of a related video's address; `undefined` = the artist's own id. */
  relatedMid: string | undefined;
  bannerTitle: (video: { video_name: string; name: string }) => string;
  /** How long the heart shows before a swipe to the right changes the page. */
  heartMs: number;
  /** The words of the first card. */
  howTo: { title?: string; right: string; left: string };
};

export const comedy: Flavour = {
  api: '/api/madfunny',
  role: 'Comedian',
  plural: 'Comedians',
  grid: paths.allVideos,
  video: paths.comedyVideo,
  refused: paths.root,
  relatedMid: undefined,
  bannerTitle: video => video.video_name,
  heartMs: 260,
  howTo: {
    title: 'HOW TO USE THE SITE:',
    right: 'Swipe right if you like what you see.',
    left: 'Swipe left if you want to see something else.',
  },
};

export const football: Flavour = {
  api: '/api/diski',
  role: 'Footballer',
  plural: 'Footballers',
  grid: paths.artistVideos,
  video: paths.footballVideo,
  refused: paths.footballJoin,
  relatedMid: '1',
  // No line begins with the dot.
  bannerTitle: video => `${video.video_name}\u00a0· ${video.name}`,
  heartMs: 2000,
  howTo: {
    right: 'Swipe right if you like what you see.',
    left: 'Swipe left if you want to see something else.',
  },
};
