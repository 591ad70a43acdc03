/** The arithmetic of crops, with the frames of the sites' cards. */
import { expect, test } from 'vitest';
import { ARTIST_CARD, ARTIST_CHIP, BANNER, VIDEO_CARD } from '../../shared/ui/picture-frames';
import { cropName, formatOf, neededBy, shownPart, storedSize, within } from './geometry';
import { usesOf } from './uses';

const ARTIST = [ARTIST_CARD, ARTIST_CHIP];

test('a crop needs the largest width that cards request of it', () => {
  expect(neededBy(ARTIST_CARD, ARTIST)).toEqual({ width: 960, height: 1280 });
  expect(neededBy(VIDEO_CARD, [VIDEO_CARD])).toEqual({ width: 640, height: 360 });
  expect(neededBy(BANNER, [BANNER])).toEqual({ width: 1280, height: 540 });
  // Of a square, the card shows three quarters of the width.
  expect(neededBy(ARTIST_CHIP, ARTIST)).toEqual({ width: 1280, height: 1280 });
});

test('a crop is stored in its own pixels and in the exact ratio, and not larger than twice what is needed', () => {
  expect(storedSize({ width: 750, height: 1000 }, ARTIST_CARD, ARTIST)).toEqual({
    width: 750,
    height: 1000,
  });
  // The browser's measures have fractions.
  const video = (width: number, height: number) => storedSize({ width, height }, VIDEO_CARD, [VIDEO_CARD]);
  expect(video(1199.6, 674.7)).toEqual({ width: 1200, height: 675 });
  expect(video(6000, 3375)).toEqual({ width: 1280, height: 720 });
  expect(video(0.2, 0.1)).toEqual({ width: 1, height: 1 });
});

test('a frame of another ratio shows the middle', () => {
  const upright = { x: 100, y: 200, width: 300, height: 400 };
  expect(shownPart(upright, ARTIST_CHIP)).toEqual({ x: 100, y: 250, width: 300, height: 300 });
  expect(shownPart(upright, ARTIST_CARD)).toEqual(upright);
  const wide = { x: 0, y: 0, width: 1280, height: 540 };
  expect(shownPart(wide, ARTIST_CHIP)).toEqual({ x: 370, y: 0, width: 540, height: 540 });
});

test('a move ends at the edges of the picture', () => {
  const [picture, box] = [
    { width: 600, height: 300 },
    { width: 225, height: 300 },
  ];
  expect(within({ x: 500, y: 40 }, picture, 1, box)).toEqual({ x: 187.5, y: 0 });
  expect(within({ x: -500, y: -40 }, picture, 2, box)).toEqual({ x: -487.5, y: -40 });
  // A box that is larger than the picture stays in the middle.
  expect(within({ x: 9, y: 9 }, { width: 10, height: 10 }, 1, box)).toEqual({ x: 0, y: 0 });
});

test('a crop keeps the format of its picture where sites show it, and its name', () => {
  expect(['image/png', 'image/webp', 'image/avif', ''].map(formatOf)).toEqual([
    'image/png',
    'image/webp',
    'image/jpeg',
    'image/jpeg',
  ]);
  expect(cropName('My face.final.JPEG', 'image/jpeg')).toBe('My face.final-crop.jpg');
  expect(cropName('.png', 'image/png')).toBe('picture-crop.png');
});

test('every kind with a picture has a frame, and an artist has two', () => {
  expect(usesOf('artist').map(({ name }) => name)).toEqual(['artistCard', 'artistChip']);
  expect(['video', 'meme', 'banner', 'category'].map(kind => usesOf(kind).length)).toEqual([1, 1, 1, 0]);
});
