/** The row of films that were started on this phone and not finished. */

import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { brand } from '../brand';
import { durationAndSize } from '../clock';
import { langOf, t } from '../messages';
import { CrossIcon } from './icons';
import { Picture } from './Picture';
import { removeFilm, unfinishedFilms } from './unfinished-films';
import './card-remove.css';
import './continue-watching.css';

const MAX_FILMS = 10;

export function ContinueWatching() {
  const [films, setFilms] = useState(() => unfinishedFilms(brand().label));
  const heading = useRef<HTMLHeadingElement>(null);
  if (films.length === 0) return null;
  return (
    <section className="carousel carousel-row" aria-label={t('continue-watching')}>
      <div className="carousel-head">
        <h2 ref={heading} tabIndex={-1}>
          {t('continue-watching')}
        </h2>
      </div>
      <ul className="carousel-list">
        {films.slice(0, MAX_FILMS).map(({ source, to, title, lang, image, second, seconds }) => (
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
              <span className="video-card-title" lang={langOf(lang)}>
                {title}
              </span>
              <span className="video-card-note">
                {t('time-left', { time: durationAndSize(seconds - second) })}
              </span>
            </Link>
            <button
              type="button"
              className="card-remove"
              aria-label={t('remove-from-continue', { title })}
              onClick={() => {
                removeFilm(source);
                // The button is removed, so the focus moves to the heading.
                heading.current?.focus({ preventScroll: true });
                setFilms(unfinishedFilms(brand().label));
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
