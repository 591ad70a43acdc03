import type { PageOf } from '../../page';
import { ArtistHome } from './ArtistHome';
import { football } from './artist-kinds';
import { homePage } from './pages';

export const page: PageOf = () => homePage(football);

/** Here a swipe to the right always passes count 1; the player checks the session. */
export default function DiskiHomePage() {
  return <ArtistHome kind={football} flag="1" />;
}
