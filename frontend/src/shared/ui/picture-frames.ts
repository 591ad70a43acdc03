/**
 * The frames in which cards show pictures: the `width` and `height` of `Picture`, and the largest width that it requests. Editors crop pictures to
 * them in the back office. The components have the numbers themselves, because a module for them would cost every home 100 bytes of its budget; a
 * test compares the components and their styles with these.
 */
export type PictureFrame = { width: number; height: number; max: number };

/** A video in a grid or a row. */
export const VIDEO_CARD: PictureFrame = { width: 480, height: 270, max: 640 };
/** The swiped card of an artist. */
export const ARTIST_CARD: PictureFrame = { width: 600, height: 800, max: 960 };
/** An artist in the menu and beside others. */
export const ARTIST_CHIP: PictureFrame = { width: 96, height: 96, max: 160 };
export const MEME_CARD: PictureFrame = { width: 480, height: 600, max: 640 };
export const BANNER: PictureFrame = { width: 1280, height: 540, max: 1280 };
