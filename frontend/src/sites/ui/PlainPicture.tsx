/** A picture without scripts: Picture is rendered by a script when it is near the viewport. */
import { resized } from './Picture';

export function PlainPicture({ src, alt = '' }: { src: string; alt?: string }) {
  return src ? <img className="picture" src={resized(src, 320)} alt={alt} loading="lazy" /> : null;
}
