import { type Params, useParams } from 'react-router';
import { queryClient } from '../../api/query-client';
import { ownService } from '../../service-name';
import { ArtistGrid } from './ArtistGrid';
import { artistVideosQuery } from './api';
import { football } from './artist-kinds';

export const prefetch = ({ id = '' }: Params) =>
  queryClient().prefetchInfiniteQuery(artistVideosQuery(football, id));

export default function ArtistVideosPage() {
  const { id = '', service: named, count } = useParams();
  const service = ownService(named);
  return <ArtistGrid kind={football} artistId={id} service={service} count={count === '1' ? '1' : '0'} />;
}
