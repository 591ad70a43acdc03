import { useFlag } from '../../session';
import { ArtistHome } from './ArtistHome';
import { comedy } from './artist-kinds';

export default function ComedyHomePage() {
  return <ArtistHome kind={comedy} flag={useFlag()} />;
}
