/** A tap on a film pauses it or plays on; two taps like it, with a heart that bursts. */

import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../messages';
import { HeartFilledIcon, PlayIcon } from './icons';

/** Milliseconds within which a second tap counts with the first. */
const DOUBLE_MS = 250;

type Props = {
  element: RefObject<HTMLVideoElement | null>;
  title: string;
  /** Called first; a tap that it has used does nothing else. */
  first: () => boolean;
};

export function PlayTap({ element, title, first }: Props) {
  const [paused, setPaused] = useState(false);
  const [bursts, setBursts] = useState(0);
  const timer = useRef(0);
  useEffect(() => {
    const video = element.current;
    const follow = () => setPaused(video?.paused === true);
    for (const name of ['play', 'pause']) video?.addEventListener(name, follow);
    return () => {
      window.clearTimeout(timer.current);
      for (const name of ['play', 'pause']) video?.removeEventListener(name, follow);
    };
  }, [element]);

  const toggle = () => {
    timer.current = 0;
    const video = element.current;
    if (video?.paused) video.play().catch(error => console.info('Not played', error));
    else video?.pause();
  };
  const tap = ({ detail, currentTarget }: MouseEvent<HTMLElement>) => {
    // A key is not tapped twice.
    if (detail === 0) return toggle();
    if (timer.current) {
      window.clearTimeout(timer.current);
      timer.current = 0;
      setBursts(before => before + 1);
      // The button knows who may like; a second heart does not take the first one back.
      return currentTarget.closest('li')?.querySelector<HTMLElement>('[name=like]')?.click();
    }
    if (!first()) timer.current = window.setTimeout(toggle, DOUBLE_MS);
  };
  return (
    <>
      <button
        type="button"
        className="feed-tap"
        aria-label={t(paused ? 'play-row' : 'pause-row', { row: title })}
        onClick={tap}
      >
        {paused && <PlayIcon />}
      </button>
      {bursts > 0 && (
        <span key={bursts} className="feed-burst">
          <HeartFilledIcon />
        </span>
      )}
    </>
  );
}
