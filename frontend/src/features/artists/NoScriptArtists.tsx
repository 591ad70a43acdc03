/** Artists as linked cards for browsers without scripts, which cannot swipe the deck. */

import type { Artist } from '../../api/types';
import { t } from '../../messages';
import { cardsOnServer } from '../../server-input';
import { NoScriptMore } from '../../ui/NoScriptMore';
import { NoScriptPicture } from '../../ui/NoScriptPicture';
import type { ArtistKind } from './artist-kinds';

type Props = { artists: Artist[]; kind: ArtistKind; service: string };

export function NoScriptArtists({ artists, kind, service }: Props) {
  return (
    <>
      <h2>{t(kind.plural)}</h2>
      <div className="plain-artists">
        {artists.slice(0, cardsOnServer()).map(({ id, artist, artist_img_url }) => (
          <a key={id} href={kind.grid(id, service, '1')}>
            <NoScriptPicture src={artist_img_url} />
            {artist}
          </a>
        ))}
      </div>
      <NoScriptMore list={artists} />
    </>
  );
}
