import type { Artist } from '../../api/types';
import { NavLink } from '../../ui/NavLink';
import { Picture } from '../../ui/Picture';
import type { Flavour } from './flavour';

type Props = { artist: Artist; flavour: Flavour; service: string };

/** A face and a name that lead to the artist's videos. The menu always passes count '1'. */
export function ArtistChip({ artist, flavour, service }: Props) {
  return (
    <NavLink className="artist-chip" to={flavour.grid(artist.id, service, '1')}>
      <Picture src={artist.artist_img_url} alt="" width={96} height={96} sizes="48px" max={160} />
      <span>{artist.artist}</span>
    </NavLink>
  );
}
