/** The arithmetic of a crop: its size, the parts that cards show, and how far it can be moved. */
import type { PictureFrame } from '../../shared/ui/picture-frames';

export type Size = { width: number; height: number };
export type Point = { x: number; y: number };
export type Area = Point & Size;

const ratioOf = ({ width, height }: Size): number => width / height;

/** The pixels that a crop to a frame needs, so that no card that shows it, or the middle of it, enlarges it. */
export function neededBy(frame: Size, uses: readonly PictureFrame[]): Size {
  const shown = (use: Size) => Math.min(1, ratioOf(use) / ratioOf(frame));
  const width = Math.ceil(Math.max(...uses.map(use => use.max / shown(use))));
  return { width, height: Math.round(width / ratioOf(frame)) };
}

/** Room for cards that will be larger than today's. */
const SPARE = 2;

/** The size in which a crop is stored: its own pixels in the frame's ratio, and no more than twice what cards need. */
export function storedSize(area: Size, frame: Size, uses: readonly PictureFrame[]): Size {
  const width = Math.max(1, Math.min(Math.round(area.width), SPARE * neededBy(frame, uses).width));
  return { width, height: Math.max(1, Math.round(width / ratioOf(frame))) };
}

/** The part of an area that a frame of another ratio shows: all of one side, and the middle of the other. */
export function shownPart(area: Area, frame: Size): Area {
  const ratio = ratioOf(frame);
  const width = Math.min(area.width, area.height * ratio);
  const height = Math.min(area.height, area.width / ratio);
  return { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
}

/** A move of a picture behind a box, kept within its edges; both are measured on the screen, the picture without its zoom. */
export function within(at: Point, picture: Size, zoom: number, box: Size): Point {
  const keep = (value: number, side: number, boxSide: number) => {
    const most = Math.max(0, (side * zoom - boxSide) / 2);
    return Math.min(most, Math.max(-most, value));
  };
  return { x: keep(at.x, picture.width, box.width), y: keep(at.y, picture.height, box.height) };
}

const ENDINGS: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** The format of a crop: that of its picture, where sites show it. */
export const formatOf = (type: string): string => (type in ENDINGS ? type : 'image/jpeg');

/** The name of a crop's file. */
export const cropName = (name: string, type: string): string =>
  `${name.replace(/\.[^.]*$/, '') || 'picture'}-crop.${ENDINGS[type] ?? 'jpg'}`;
