import type { Params } from 'react-router';
import { ArtistVideo } from './ArtistVideo';
import { prefetchVideo } from './api';
import { comedy } from './artist-kinds';

export const prefetch = ({ id = '' }: Params) => prefetchVideo(comedy, id);

export default function ComedyVideoPage() {
  return <ArtistVideo kind={comedy} />;
}
