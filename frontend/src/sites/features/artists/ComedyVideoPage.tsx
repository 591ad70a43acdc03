import type { PageOf } from '../../page';
import { ArtistVideo } from './ArtistVideo';
import { comedy } from './artist-kinds';
import { videoPage } from './pages';

export const page: PageOf = ({ id = '' }) => videoPage(comedy, id);

export default function ComedyVideoPage() {
  return <ArtistVideo kind={comedy} />;
}
