import type { Params } from 'react-router';
import { queryClient } from '../../api/query-client';
import { ArtistVideo } from './ArtistVideo';
import { videoQuery } from './api';
import { football } from './artist-kinds';

export const prefetch = ({ id = '' }: Params) => queryClient().prefetchQuery(videoQuery(football, id));

export default function DiskiVideoPage() {
  return <ArtistVideo kind={football} />;
}
