/** A picture for browsers without scripts, where the usual one waits for a script that sees it come near. */
import { resized } from './Picture';

export function PlainPicture({ src, alt = '' }: { src: string; alt?: string }) {
  return src ? <img className="picture" src={resized(src, 320)} alt={alt} loading="lazy" /> : null;
}
