import type { Params } from 'react-router';
import { ArtistVideo } from './ArtistVideo';
import { prefetchVideo } from './api';
import { football } from './artist-kinds';

export const prefetch = ({ id = '' }: Params) => prefetchVideo(football, id);

export default function DiskiVideoPage() {
  return <ArtistVideo kind={football} />;
}
