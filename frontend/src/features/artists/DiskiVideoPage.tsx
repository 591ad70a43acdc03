import type { Params } from 'react-router';
import { queryClient } from '../../api/query-client';
import { ArtistVideo } from './ArtistVideo';
import { videoQuery } from './api';
import { football } from './flavour';

export const prefetch = ({ id = '' }: Params) => queryClient().prefetchQuery(videoQuery(football, id));

export default function DiskiVideoPage() {
  return <ArtistVideo flavour={football} />;
}
