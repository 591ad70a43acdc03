/** The films that this phone has begun and not finished. */
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { brand } from '../../brand';
import { weight } from '../../clock';
import { begunFilms, forget } from '../../ui/begun';
import { CrossIcon } from '../../ui/icons';
import { Picture } from '../../ui/Picture';
import './begun-row.css';

const MOST = 10;

export function BegunRow() {
  const [films, setFilms] = useState(() => begunFilms(brand().label));
  const heading = useRef<HTMLHeadingElement>(null);
  if (films.length === 0) return null;
  return (
    <section className="carousel carousel-row" aria-label="Continue watching">
      <div className="carousel-head">
        <h2 ref={heading} tabIndex={-1}>
          Continue watching
        </h2>
      </div>
      <ul className="carousel-list">
        {films.slice(0, MOST).map(({ source, to, title, image, second, seconds }) => (
          <li key={source} className="begun">
            <Link className="video-card" to={to} draggable={false}>
              <span className="ratio video-card-picture">
                <Picture
                  src={image}
                  alt=""
                  width={480}
                  height={270}
                  sizes="(min-width: 1024px) 300px, (min-width: 768px) 25vw, calc(50vw - 22px)"
                />
                <progress aria-hidden="true" value={second} max={seconds} />
              </span>
              <span className="video-card-title">{title}</span>
              <span className="video-card-note">{weight(seconds - second)} left</span>
            </Link>
            <button
              type="button"
              className="begun-remove"
              aria-label={`Remove ${title} from Continue watching`}
              onClick={() => {
                forget(source);
                // The button goes, and the focus must not go with it.
                heading.current?.focus({ preventScroll: true });
                setFilms(begunFilms(brand().label));
              }}
            >
              <CrossIcon />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
