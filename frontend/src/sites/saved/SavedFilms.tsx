/** The row of saved films. */
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { durationAndSize } from '../clock';
import { langOf, t } from '../messages';
import { CrossIcon } from '../ui/icons';
import { resized } from '../ui/Picture';
import { refreshFilms, useSavedFilms } from './films';
import { CARD_WIDTH, removeSaved } from './saver';
import '../ui/card-remove.css';
import '../ui/continue-watching.css';

export function SavedFilms() {
  const films = useSavedFilms();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    refreshFilms().catch(error => console.info('Saved films are not reachable', error));
  }, []);
  if (films.length === 0) return null;
  return (
    <section className="carousel carousel-row" aria-label={t('saved-films')}>
      <div className="carousel-head">
        <h2 ref={heading} tabIndex={-1}>
          {t('saved-films')}
        </h2>
      </div>
      <ul className="carousel-list">
        {films.map(({ source, film, state, done, parts, bytes }) => (
          <li key={source} className="begun">
            <Link className="video-card" to={film.to} draggable={false}>
              <span className="ratio video-card-picture">
                {/* In the width that was saved with the film. */}
                <img
                  className="picture"
                  src={resized(film.image, CARD_WIDTH)}
                  alt=""
                  width={480}
                  height={270}
                />
                {state !== 'whole' && <progress aria-hidden="true" value={done} max={parts.length} />}
              </span>
              <span className="video-card-title" lang={langOf(film.lang)}>
                {film.title}
              </span>
              <span className="video-card-note">{durationAndSize(film.seconds, bytes)}</span>
            </Link>
            <button
              type="button"
              className="card-remove"
              aria-label={t('remove-item', { title: film.title })}
              onClick={() => {
                // The button is removed, so the focus moves to the heading.
                heading.current?.focus({ preventScroll: true });
                removeSaved(source);
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
