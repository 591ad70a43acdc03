import { type Params, useParams } from 'react-router';
import { queryClient } from '../../api/query-client';
import { brand } from '../../brand';
import { useFlag } from '../../session';
import { ArtistGrid } from './ArtistGrid';
import { artistVideosQuery } from './api';
import { comedy } from './flavour';

export const prefetch = ({ artistId = '' }: Params) =>
  queryClient().prefetchInfiniteQuery(artistVideosQuery(comedy, artistId));

/** Without a flag in the address, what we know of the visitor decides. */
export default function AllVideosPage() {
  const { artistId = '', service = brand().service, flag } = useParams();
  const known = useFlag();
  return (
    <ArtistGrid
      flavour={comedy}
      artistId={artistId}
      service={service}
      count={(flag ?? known) === '1' ? '1' : '0'}
    />
  );
}
