/** One video in a grid or a row: picture, title, what it weighs. */
import { Link } from 'react-router';
import { weight } from '../clock';
import { Picture } from './Picture';

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
};

export function VideoCard({ to, image, title, note, seconds, bytes, eager = false, copy = false }: Props) {
  const cost = weight(seconds, bytes);
  return (
    <Link
      className="video-card"
      to={to}
      draggable={false}
      {...(copy ? { 'aria-hidden': true, tabIndex: -1 } : {})}
    >
      <span className="ratio video-card-picture">
        <Picture
          src={image}
          alt=""
          width={480}
          height={270}
          sizes="(min-width: 1024px) 300px, (min-width: 768px) 25vw, 50vw"
          eager={eager}
        />
        {cost && <span className="video-card-cost">{cost}</span>}
      </span>
      <span className="video-card-title">{title}</span>
      {note && <span className="video-card-note">{note}</span>}
    </Link>
  );
}
