import { type Params, useParams } from 'react-router';
import { queryClient } from '../../api/query-client';
import { ownService } from '../../service-name';
import { useFlag } from '../../session';
import { ArtistGrid } from './ArtistGrid';
import { artistVideosQuery } from './api';
import { comedy } from './artist-kinds';

export const prefetch = ({ artistId = '' }: Params) =>
  queryClient().prefetchInfiniteQuery(artistVideosQuery(comedy, artistId));

/** Without a flag in the address, the visitor's own flag is used. */
export default function AllVideosPage() {
  const { artistId = '', service: named, flag } = useParams();
  const service = ownService(named);
  const visitorFlag = useFlag();
  return (
    <ArtistGrid
      kind={comedy}
      artistId={artistId}
      service={service}
      count={(flag ?? visitorFlag) === '1' ? '1' : '0'}
    />
  );
}
