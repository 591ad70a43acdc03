/** One video in a grid or a row: picture, title, what it weighs. */
import { useRef } from 'react';
import { Link } from 'react-router';
import { weight } from '../clock';
import { useNear } from './near';
import { Picture } from './Picture';
import { PlainPicture } from './PlainPicture';
import './video-card.css';

type Props = {
  to: string;
  image: string;
  title: string;
  note?: string;
  seconds?: number | undefined;
  bytes?: number | undefined;
  eager?: boolean;
  /** A second copy that only fills a loop: not for the keyboard or a screen reader. */
  copy?: boolean;
  /** The row it is in is near, so that its picture is there when the row moves. */
  near?: boolean;
};

export function VideoCard({
  to,
  image,
  title,
  note,
  seconds,
  bytes,
  eager = false,
  copy = false,
  near = false,
}: Props) {
  const box = useRef<HTMLSpanElement>(null);
  const shown = useNear(box, eager) || near;
  const cost = weight(seconds, bytes);
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
            width={480}
            height={270}
            sizes="(min-width: 1024px) 300px, (min-width: 768px) 25vw, calc(50vw - 22px)"
            eager={eager}
          />
        ) : (
          <noscript>{SERVER_RENDERING && <PlainPicture src={image} />}</noscript>
        )}
        {cost && <span className="video-card-cost">{cost}</span>}
      </span>
      <span className="video-card-title">{title}</span>
      {note && <span className="video-card-note">{note}</span>}
    </Link>
  );
}
