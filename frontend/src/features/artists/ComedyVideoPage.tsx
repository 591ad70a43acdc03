import { ArtistVideo } from './ArtistVideo';
import { comedy } from './flavour';

export default function ComedyVideoPage() {
  return <ArtistVideo flavour={comedy} />;
}
