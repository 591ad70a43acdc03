/** In the form of a record: its film is uploaded, and the form takes over what is known of it. */
import { words } from '../words';
import type { Film } from './types';
import { Uploads } from './Uploads';

type Props = { service: string; media: string; use: (film: Film) => void };

export default function FilmUpload({ service, media, use }: Props) {
  return (
    <Uploads
      service={service}
      only
      actions={({ name, film }) =>
        film && (
          <button
            type="button"
            className="button primary"
            aria-label={words.uploads.fillOf({ name })}
            onClick={() => use(film)}
          >
            {film.media === media ? words.uploads.fillAgain : words.uploads.fill}
          </button>
        )
      }
    />
  );
}
