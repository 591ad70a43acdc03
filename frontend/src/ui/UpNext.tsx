/** The next film, offered over the one that has ended and begins anew. It starts by itself after five seconds, unless that is not wanted. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Picture } from './Picture';
import './player-offer.css';

export type NextVideo = { to: string; title: string; image: string };

type Props = {
  next: NextVideo;
  /** Whether it starts by itself. */
  counts: boolean;
  /** Whether the focus comes here. */
  takesFocus: boolean;
  onStart: () => void;
  onStay: () => void;
};

const COUNTDOWN_S = 5;

export function UpNext({ next, counts, takesFocus, onStart, onStay }: Props) {
  const link = useRef<HTMLAnchorElement>(null);
  const [seconds, setSeconds] = useState(COUNTDOWN_S);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it appears
  useEffect(() => {
    if (takesFocus) link.current?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    if (!counts) return;
    if (seconds === 0) return onStart();
    const timer = window.setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [counts, seconds, onStart]);

  return (
    <section className="player-offer" aria-labelledby="up-next">
      <div className="player-offer-film">
        <Picture src={next.image} alt="" width={320} height={180} sizes="112px" max={320} />
        <div>
          <h2 id="up-next">Up next{counts && <span role="timer"> in {seconds} s</span>}</h2>
          <p>{next.title}</p>
        </div>
      </div>
      <div className="player-offer-choices">
        <Link ref={link} className="button" to={next.to}>
          Play next
        </Link>
        <button type="button" className="button button-quiet" onClick={onStay}>
          Stay here
        </button>
      </div>
    </section>
  );
}
