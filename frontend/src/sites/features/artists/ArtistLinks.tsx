/** One link per artist, for the header. The menu always passes count '1'. */
import { useInfiniteQuery } from '../../api/query-client';
import { EndlessList } from '../../ui/EndlessList';
import { NavLink } from '../../ui/NavLink';
import { artistsQuery } from './api';
import type { ArtistKind } from './artist-kinds';

export function ArtistLinks({ kind, service }: { kind: ArtistKind; service: string }) {
  const artists = useInfiniteQuery(artistsQuery(kind, service));
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
          <NavLink className="nav-link" to={kind.grid(id, service, '1')}>
            {artist}
          </NavLink>
        )}
      </EndlessList>
    </div>
  );
}
