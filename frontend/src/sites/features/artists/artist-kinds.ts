/** The differences between comedy and football. Everything else in this folder serves both. */
import { brand } from '../../brand';
import type { MessageId } from '../../messages';
import { type Flag, paths } from '../../paths';

type Id = number | string;

export type ArtistKind = {
  /** In the names of pages. */
  name: 'comedy' | 'diski';
  /** The prefix of its calls. */
  api: '/api/madfunny' | '/api/diski';
  role: MessageId;
  plural: MessageId;
  search: MessageId;
  grid: (artistId: Id, service: string, flag: Flag) => string;
  video: (id: Id, service: string, mid: Id) => string;
  /** The address behind a video when the grid was opened without a subscription. */
  joinPath: () => string;
  /** The last parameter of a related video's address; `undefined`: the artist's id. */
  relatedMid: string | undefined;
  bannerTitle: (video: { video_name: string; name: string }) => string;
  /** Milliseconds between a swipe to the right and the page change, while the heart is shown. */
  heartMs: number;
  /** The text of the how-to card. */
  howTo: { title?: MessageId; right: MessageId; left: MessageId };
};

export const comedy: ArtistKind = {
  name: 'comedy',
  api: '/api/madfunny',
  role: 'comedian',
  plural: 'comedians',
  search: 'search-comedy',
  grid: paths.allVideos,
  video: paths.comedyVideo,
  joinPath: paths.root,
  relatedMid: undefined,
  bannerTitle: video => video.video_name,
  heartMs: 260,
  howTo: {
    title: 'how-to-title',
    right: 'swipe-right',
    left: 'swipe-left',
  },
};

export const football: ArtistKind = {
  name: 'diski',
  api: '/api/diski',
  role: 'footballer',
  plural: 'footballers',
  search: 'search-football',
  grid: paths.artistVideos,
  video: paths.footballVideo,
  joinPath: paths.footballJoin,
  relatedMid: '1',
  // The non-breaking space keeps the dot off the beginning of a line.
  bannerTitle: video => `${video.video_name}\u00a0· ${video.name}`,
  heartMs: 2000,
  howTo: {
    right: 'swipe-right',
    left: 'swipe-left',
  },
};

/** That of this brand. */
export const ownKind = (): ArtistKind => (brand().kind === 'diski' ? football : comedy);
