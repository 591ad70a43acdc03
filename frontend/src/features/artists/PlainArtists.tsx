/** Artists as cards that lead to their videos, for browsers without scripts: nothing swipes there. */
import type { Artist } from '../../api/types';
import { cardsOnServer } from '../../server-input';
import { PlainMore } from '../../ui/PlainMore';
import { PlainPicture } from '../../ui/PlainPicture';
import type { Flavour } from './flavour';

type Props = { artists: Artist[]; flavour: Flavour; service: string };

export function PlainArtists({ artists, flavour, service }: Props) {
  return (
    <>
      <h2>{flavour.plural}</h2>
      <div className="plain-artists">
        {artists.slice(0, cardsOnServer()).map(({ id, artist, artist_img_url }) => (
          <a key={id} href={flavour.grid(id, service, '1')}>
            <PlainPicture src={artist_img_url} />
            {artist}
          </a>
        ))}
      </div>
      <PlainMore list={artists} />
    </>
  );
}
