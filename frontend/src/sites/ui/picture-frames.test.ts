/// <reference types="node" />
/** The frames that editors crop pictures to are those of the components and of their styles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ARTIST_CARD,
  ARTIST_CHIP,
  BANNER,
  MEME_CARD,
  type PictureFrame,
  VIDEO_CARD,
} from '../../shared/ui/picture-frames';

const css = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
/** What `Picture` requests at most where it is not said. */
const [, MAX] = /max = (\d+),/.exec(css('Picture.tsx')) ?? [];
/** The frames of a component's pictures. */
const framesOf = (name: string): PictureFrame[] =>
  [...css(name).matchAll(/<Picture\s[\s\S]*?\/>/g)].map(([picture]) => {
    const number = (property: string) => new RegExp(`\\b${property}=\\{(\\d+)\\}`).exec(picture)?.[1];
    return {
      width: Number(number('width')),
      height: Number(number('height')),
      max: Number(number('max') ?? MAX),
    };
  });
const percent = ({ width, height }: PictureFrame): number => (height / width) * 100;

test.each([
  ['VideoCard.tsx', VIDEO_CARD],
  ['ContinueWatching.tsx', VIDEO_CARD],
  ['../features/artists/ArtistHome.tsx', ARTIST_CARD],
  ['../features/artists/ArtistChip.tsx', ARTIST_CHIP],
  ['../features/memes/MemePicture.tsx', MEME_CARD],
  ['../features/tt/Banners.tsx', BANNER],
])('%s has the frame of its cards', (component, frame) => {
  expect(framesOf(component)).toEqual([frame]);
});

test('boxes of videos and memes have the ratio of their frames', () => {
  expect(css('picture.css')).toContain(`padding-top: var(--ratio, ${percent(VIDEO_CARD)}%)`);
  const [, meme] = /\.meme-card \{\s*--ratio: ([\d.]+)%/.exec(css('../features/memes/memes.css')) ?? [];
  expect(Number(meme)).toBe(percent(MEME_CARD));
});

test('a banner has the height of its frame where it is as wide as the window', () => {
  const [, height] = /\.banner \{[^}]*?height: ([\d.]+)vw/.exec(css('../features/tt/tt.css')) ?? [];
  expect(Number(height)).toBeCloseTo(percent(BANNER), 1);
});

test('an artist is a card of three to four, as far as the deck has room, and a round chip', () => {
  const deck = css('deck.css');
  const [, width] = /\.deck \{[^}]*max-width: (\d+)px/.exec(deck) ?? [];
  const [, height] = /height: clamp\([^;]*, (\d+)px\)/.exec(deck) ?? [];
  expect(Number(width) / Number(height)).toBeCloseTo(ARTIST_CARD.width / ARTIST_CARD.height, 1);
  const [, chip = ''] =
    /\.artist-chip \.picture \{([^}]*)\}/.exec(css('../features/artists/artists.css')) ?? [];
  const side = (name: string) => new RegExp(`[^-]${name}: (\\d+)px`).exec(chip)?.[1];
  expect(Number(side('width')) / Number(side('height'))).toBe(ARTIST_CHIP.width / ARTIST_CHIP.height);
  expect(chip).toContain('border-radius: 50%');
});
