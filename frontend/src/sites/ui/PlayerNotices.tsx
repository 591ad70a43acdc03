/** What stands over a video that waits for the connection, or plays without sound. */
import type { RefObject } from 'react';
import { t } from '../messages';
import { SoundIcon } from './icons';
import { soundAlone } from './PlayerSettings';

type LostProps = {
  onAgain: () => void;
  /** The size of the sound alone, which a slow connection may still carry; 0: it is not offered. */
  soundBytes?: number;
  onSoundAlone?: () => void;
};

/** It is not an alert, because the video resumes without the visitor's help. */
export function ConnectionLost({ onAgain, soundBytes = 0, onSoundAlone }: LostProps) {
  return (
    <div className="player-lost" role="status">
      <p>{t('waiting')}</p>
      <div className="player-lost-ways">
        <button type="button" className="button" onClick={onAgain}>
          {t('try-again')}
        </button>
        {soundBytes > 0 && (
          <button type="button" className="button" onClick={onSoundAlone}>
            {soundAlone(soundBytes)}
          </button>
        )}
      </div>
    </div>
  );
}

export function playAloud(video: HTMLVideoElement): void {
  video.muted = false;
  video.play().catch(error => console.info('Sound refused', error));
}

type SoundProps = { element: RefObject<HTMLVideoElement | null>; onSound: () => void };

/** The browser allowed the start without sound only. */
export function SoundButton({ element, onSound }: SoundProps) {
  return (
    <button
      type="button"
      className="player-sound"
      onClick={() => {
        if (element.current) playAloud(element.current);
        onSound();
      }}
    >
      <SoundIcon />
      {t('tap-for-sound')}
    </button>
  );
}
