import { ArtistVideo } from './ArtistVideo';
import { football } from './flavour';

export default function DiskiVideoPage() {
  return <ArtistVideo flavour={football} />;
}
