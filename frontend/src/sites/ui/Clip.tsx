/** Ten silent seconds of a film over its picture. They play once; a tap ends them, and stops the rows as well. */

import { useEffect, useEffectEvent, useState } from 'react';
import { brand } from '../brand';
import { t } from '../messages';
import { stopMotion } from './carousel-beat';
import { PauseIcon } from './icons';
import './clip.css';

type Props = {
  /** Its public address. */
  source: string;
  onPlays: ((plays: boolean) => void) | undefined;
};

export function Clip({ source, onPlays }: Props) {
  const [state, setState] = useState<'loading' | 'playing' | 'ended'>('loading');
  const report = useEffectEvent((plays: boolean) => onPlays?.(plays));
  useEffect(() => {
    if (state !== 'playing') return;
    report(true);
    return () => report(false);
  }, [state]);
  if (state === 'ended') return null;
  const end = () => setState('ended');
  return (
    <button
      type="button"
      className="clip"
      data-plays={state === 'playing'}
      aria-label={t('pause-rows')}
      onClick={() => {
        stopMotion();
        end();
      }}
    >
      <video
        src={`${brand().image_prefix}/raw:1/plain/${source}`}
        autoPlay
        muted
        playsInline
        disablePictureInPicture
        tabIndex={-1}
        onPlaying={() => setState('playing')}
        onEnded={end}
        onError={end}
      />
      <PauseIcon />
    </button>
  );
}
