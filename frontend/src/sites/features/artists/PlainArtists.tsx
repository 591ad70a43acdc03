/** Artists as linked cards, where no script swipes the deck. */

import type { Artist } from '../../../shared/contract/sites';
import { t } from '../../messages';
import { cardsOnServer } from '../../server-input';
import { MoreLink } from '../../ui/MoreLink';
import '../../ui/video-card.css';
import { PlainPicture } from '../../ui/PlainPicture';
import type { ArtistKind } from './artist-kinds';

type Props = { artists: Artist[]; kind: ArtistKind; service: string };

export function PlainArtists({ artists, kind, service }: Props) {
  return (
    <>
      <h2 className="page-heading">{t(kind.plural)}</h2>
      <ul className="grid grid-memes plain-artists">
        {artists.slice(0, cardsOnServer()).map(({ id, artist, artist_img_url }) => (
          <li key={id}>
            <a className="video-card" href={kind.grid(id, service, '1')}>
              <span className="ratio portrait video-card-picture">
                <PlainPicture src={artist_img_url} />
              </span>
              <span className="video-card-title">{artist}</span>
            </a>
          </li>
        ))}
      </ul>
      <MoreLink list={artists} />
    </>
  );
}
