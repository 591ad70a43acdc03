import type { Params } from 'react-router';
import { queryClient } from '../../api/query-client';
import { ArtistVideo } from './ArtistVideo';
import { videoQuery } from './api';
import { comedy } from './artist-kinds';

export const prefetch = ({ id = '' }: Params) => queryClient().prefetchQuery(videoQuery(comedy, id));

export default function ComedyVideoPage() {
  return <ArtistVideo kind={comedy} />;
}
