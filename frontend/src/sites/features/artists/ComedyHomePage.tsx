import type { PageOf } from '../../page';
import { useFlag } from '../../session';
import { ArtistHome } from './ArtistHome';
import { comedy } from './artist-kinds';
import { homePage } from './pages';

export const page: PageOf = () => homePage(comedy);

export default function ComedyHomePage() {
  return <ArtistHome kind={comedy} flag={useFlag()} />;
}
