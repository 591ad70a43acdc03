/** A video in a grid or a row: picture, title, duration and size. */
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import { durationAndSize } from '../clock';
import { useNearViewport } from './near-viewport';
import { Picture } from './Picture';
import { PlainPicture } from './PlainPicture';
import './video-card.css';
import { Plain } from './Plain';

type Props = {
  to: string;
  image: string;
  title: string;
  /** Of the title, as of `langOf`. */
  lang?: string | undefined;
  note?: ReactNode;
  seconds?: number | undefined;
  bytes?: number | undefined;
  eager?: boolean;
  /** As of `Picture`. */
  after?: boolean;
  /** A copy for a carousel's loop, hidden from the keyboard and screen readers. */
  copy?: boolean;
  /** The card's row is near the viewport: the picture loads before the row moves. */
  near?: boolean;
};

export function VideoCard({
  to,
  image,
  title,
  lang,
  note,
  seconds,
  bytes,
  eager = false,
  after = false,
  copy = false,
  near = false,
}: Props) {
  const box = useRef<HTMLSpanElement>(null);
  const shown = useNearViewport(box, eager) || near;
  const cost = durationAndSize(seconds, bytes);
  return (
    <Link
      className="video-card"
      to={to}
      draggable={false}
      {...(copy ? { 'aria-hidden': true, tabIndex: -1 } : {})}
    >
      <span ref={box} className="ratio video-card-picture">
        {shown ? (
          <Picture
            src={image}
            alt=""
            name={title}
            width={480}
            height={270}
            sizes="(min-width: 1024px) 300px, (min-width: 768px) 25vw, calc(50vw - 22px)"
            eager={eager}
            after={after}
          />
        ) : (
          <Plain>{SERVER_RENDERING && <PlainPicture src={image} />}</Plain>
        )}
        {cost && <span className="video-card-cost">{cost}</span>}
      </span>
      <span className="video-card-title" lang={lang}>
        {title}
      </span>
      {note && <span className="video-card-note">{note}</span>}
    </Link>
  );
}
