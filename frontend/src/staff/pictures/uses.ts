/** Where the sites show the picture of a record, by its kind. */
import {
  ARTIST_CARD,
  ARTIST_CHIP,
  BANNER,
  MEME_CARD,
  type PictureFrame,
  VIDEO_CARD,
} from '../../shared/ui/picture-frames';

export type Use = PictureFrame & {
  name: 'artistCard' | 'artistChip' | 'videoCard' | 'memeCard' | 'banner';
  /** A circle. */
  round?: boolean;
};

const USES: Record<string, Use[]> = {
  artist: [
    { name: 'artistCard', ...ARTIST_CARD },
    { name: 'artistChip', ...ARTIST_CHIP, round: true },
  ],
  video: [{ name: 'videoCard', ...VIDEO_CARD }],
  meme: [{ name: 'memeCard', ...MEME_CARD }],
  banner: [{ name: 'banner', ...BANNER }],
};

/** The first is the largest. */
export const usesOf = (kind: string): readonly Use[] => USES[kind] ?? [];
