/** In the form of a record: its film is uploaded, and the form takes over what is known of it. */
import type { Film } from '../../shared/contract/staff';
import { Button } from '../ui/Button';
import { words } from '../words';
import { Uploads } from './Uploads';

type Props = { service: string; media: string; onChoose: (film: Film) => void };

export default function FilmUpload({ service, media, onChoose }: Props) {
  return (
    <Uploads
      service={service}
      only
      actions={({ name, film }) =>
        film && (
          <Button tone="primary" aria-label={words.uploads.fillOf({ name })} onClick={() => onChoose(film)}>
            {film.media === media ? words.uploads.fillAgain : words.uploads.fill}
          </Button>
        )
      }
    />
  );
}
