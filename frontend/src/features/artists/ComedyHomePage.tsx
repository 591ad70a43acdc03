import { useFlag } from '../../session';
import { ArtistHome } from './ArtistHome';
import { comedy } from './flavour';

export default function ComedyHomePage() {
  return <ArtistHome flavour={comedy} flag={useFlag()} />;
}
