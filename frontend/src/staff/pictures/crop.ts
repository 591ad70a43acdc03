/** Pictures in the browser: opened upright, drawn into frames, and cropped into files. */
import { type Area, cropName, formatOf, type Size, shownPart } from './geometry';

/** Of 100: not told apart from the original on a phone. */
const QUALITY = 0.92;

export type Source = {
  /** The chosen file; null where the record has the picture already. */
  file: File | null;
  name: string;
  type: string;
  /** Its address in this tab. */
  address: string;
  image: HTMLImageElement;
};

/** Opens a picture. Browsers turn a photograph upright by what its camera wrote into it. */
export async function openPicture(picture: Blob, name: string, file: File | null): Promise<Source> {
  const address = URL.createObjectURL(picture);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(address);
    throw error;
  }
  return { file, name, type: picture.type, address, image };
}

function draw(image: HTMLImageElement, area: Area, { width, height }: Size, canvas: HTMLCanvasElement): void {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, width, height);
}

/** Draws what a frame shows of an area. */
export const drawFrame = (
  image: HTMLImageElement,
  area: Area,
  frame: Size,
  canvas: HTMLCanvasElement,
): void => draw(image, shownPart(area, frame), frame, canvas);

/** A crop as a file, in the picture's own format; where the browser cannot write that, it writes PNG. */
export async function cropped({ image, name, type }: Source, area: Area, size: Size): Promise<File> {
  const canvas = document.createElement('canvas');
  draw(image, area, size, canvas);
  const blob = await new Promise<Blob | null>(done => canvas.toBlob(done, formatOf(type), QUALITY));
  if (!blob) throw new Error('The canvas is empty');
  return new File([blob], cropName(name, blob.type), { type: blob.type });
}
