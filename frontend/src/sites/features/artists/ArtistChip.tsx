import type { Artist } from '../../../shared/contract/sites';
import { NavLink } from '../../ui/NavLink';
import { Picture } from '../../ui/Picture';
import type { ArtistKind } from './artist-kinds';

type Props = { artist: Pick<Artist, 'id' | 'artist' | 'artist_img_url'>; kind: ArtistKind; service: string };

/** Picture and name of an artist, linked to the artist's videos. The menu always passes count '1'. */
export function ArtistChip({ artist, kind, service }: Props) {
  return (
    <NavLink className="artist-chip" to={kind.grid(artist.id, service, '1')}>
      <Picture
        src={artist.artist_img_url}
        alt=""
        name={artist.artist}
        width={96}
        height={96}
        sizes="48px"
        max={160}
      />
      <span>{artist.artist}</span>
    </NavLink>
  );
}
