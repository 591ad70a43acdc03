import { useRef } from 'react';
import type { Meme } from '../../../shared/contract/sites';
import { langOf } from '../../messages';
import { useNearViewport } from '../../ui/near-viewport';
import { Picture } from '../../ui/Picture';
import { Plain } from '../../ui/Plain';
import { PlainPicture } from '../../ui/PlainPicture';

export function MemePicture({ meme, eager }: { meme: Meme; eager: boolean }) {
  const box = useRef<HTMLSpanElement>(null);
  const near = useNearViewport(box, eager);
  return (
    <span ref={box} className="ratio">
      {near ? (
        <Picture
          src={meme.image}
          alt={meme.title}
          lang={langOf(meme.title_lang)}
          width={480}
          height={600}
          sizes="(min-width: 1024px) 16vw, (min-width: 768px) 25vw, calc(50vw - 22px)"
          eager={eager}
        />
      ) : (
        <>
          <span className="picture" />
          <Plain>{SERVER_RENDERING && <PlainPicture src={meme.image} alt={meme.title} />}</Plain>
        </>
      )}
    </span>
  );
}
