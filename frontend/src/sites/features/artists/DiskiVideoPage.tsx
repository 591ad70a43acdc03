import type { PageOf } from '../../page';
import { ArtistVideo } from './ArtistVideo';
import { football } from './artist-kinds';
import { videoPage } from './pages';

export const page: PageOf = ({ id = '' }) => videoPage(football, id);

export default function DiskiVideoPage() {
  return <ArtistVideo kind={football} />;
}
