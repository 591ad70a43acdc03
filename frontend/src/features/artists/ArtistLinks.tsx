/** One link per artist, for the header. The menu always passes count '1'. */
import { useInfiniteQuery } from '../../api/query-client';
import { EndlessList } from '../../ui/EndlessList';
import { NavLink } from '../../ui/NavLink';
import { artistsQuery } from './api';
import type { Flavour } from './flavour';

export function ArtistLinks({ flavour, service }: { flavour: Flavour; service: string }) {
  const artists = useInfiniteQuery(artistsQuery(flavour, service));
  return (
    <div className="nav-scroll">
      <EndlessList
        key={service}
        className="nav-links"
        items={artists.data?.items ?? []}
        idOf={({ id }) => id}
        pages={artists}
        quiet
      >
        {({ id, artist }) => (
          <NavLink className="nav-link" to={flavour.grid(id, service, '1')}>
            {artist}
          </NavLink>
        )}
      </EndlessList>
    </div>
  );
}
