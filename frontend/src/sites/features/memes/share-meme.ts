/** Passes a meme on as a picture, where the phone takes files, and with its address anyway. */
import type { Meme } from '../../../shared/contract/sites';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { resized } from '../../ui/Picture';
import { share } from '../../ui/share';
import { pictureName } from './shown-meme';

export async function shareMeme(meme: Meme): Promise<void> {
  const { id, title, category_id } = meme;
  await share(title, paths.meme(category_id, brand().service, id), await pictureOf(meme));
}

async function pictureOf(meme: Meme): Promise<File | undefined> {
  if (!('canShare' in navigator)) return undefined;
  try {
    const blob = await (await fetch(resized(meme.image, 640))).blob();
    return new File([blob], pictureName(meme), { type: blob.type });
  } catch (error) {
    console.info('The picture is not to be had', error);
    return undefined;
  }
}
