/** One link per artist, for the header. The menu always passes count '1'. */
import { useQuery } from '../../api/query-client';
import { useFirstScreen } from '../../hydration';
import { NavLink } from '../../ui/NavLink';
import { artistsQuery } from './api';
import type { Flavour } from './flavour';

export function ArtistLinks({ flavour, service }: { flavour: Flavour; service: string }) {
  const { data = [] } = useQuery(artistsQuery(flavour, service));
  const onScreen = useFirstScreen();
  return (
    <div className="nav-scroll">
      {onScreen(data).map(artist => (
        <NavLink key={artist.id} className="nav-link" to={flavour.grid(artist.id, service, '1')}>
          {artist.artist}
        </NavLink>
      ))}
    </div>
  );
}
