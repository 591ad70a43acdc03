import { ArtistHome } from './ArtistHome';
import { football } from './flavour';

/** A swipe to the right always passes count 1 here; the player asks for the proof. */
export default function DiskiHomePage() {
  return <ArtistHome flavour={football} flag="1" />;
}
