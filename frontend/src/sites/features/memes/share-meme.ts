/** Passes a meme on as a picture, where the phone takes files, and with its address anyway. */
import type { Meme } from '../../../shared/contract/sites';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { resized } from '../../ui/Picture';
import { share } from '../../ui/share';

export async function shareMeme({ id, title, image, category_id }: Meme): Promise<void> {
  await share(title, paths.meme(category_id, brand().service, id), await pictureOf(title, image));
}

async function pictureOf(title: string, image: string): Promise<File | undefined> {
  if (!('canShare' in navigator)) return undefined;
  try {
    const blob = await (await fetch(resized(image, 640))).blob();
    return new File([blob], `${title.replace(/\W+/g, '-')}.webp`, { type: blob.type });
  } catch (error) {
    console.info('The picture is not to be had', error);
    return undefined;
  }
}
