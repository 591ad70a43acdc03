/** The offer of the next film, over a film that has ended and loops. With `counts` the next film starts after five seconds. */

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { t } from '../messages';
import { Picture } from './Picture';
import './player-offer.css';

export type NextVideo = { to: string; title: string; lang?: string | undefined; image: string };

type Props = {
  next: NextVideo;
  /** Whether the countdown runs. */
  counts: boolean;
  /** Whether to move the focus here. */
  takesFocus: boolean;
  onStart: () => void;
  onStay: () => void;
};

const COUNTDOWN_S = 5;

export function UpNext({ next, counts, takesFocus, onStart, onStay }: Props) {
  const link = useRef<HTMLAnchorElement>(null);
  const [seconds, setSeconds] = useState(COUNTDOWN_S);

  useEffect(() => {
    if (takesFocus) link.current?.focus({ preventScroll: true });
  }, [takesFocus]);

  const onOver = useEffectEvent(onStart);
  useEffect(() => {
    if (!counts) return;
    if (seconds === 0) return onOver();
    const timer = window.setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [counts, seconds]);

  return (
    <section className="player-offer" aria-labelledby="up-next">
      <div className="player-offer-film">
        <Picture src={next.image} alt="" width={320} height={180} sizes="112px" max={320} />
        <div>
          <h2 id="up-next">
            {t('up-next')}
            {counts && <span role="timer"> {t('in-seconds', { seconds })}</span>}
          </h2>
          <p lang={next.lang}>{next.title}</p>
        </div>
      </div>
      <div className="player-offer-choices">
        <Link ref={link} className="button" to={next.to}>
          {t('play-next')}
        </Link>
        <button type="button" className="button button-quiet" onClick={onStay}>
          {t('stay-here')}
        </button>
      </div>
    </section>
  );
}
