import { useParams } from 'react-router';
import { brand } from '../../brand';
import { useFlag } from '../../session';
import { ArtistGrid } from './ArtistGrid';
import { comedy } from './flavour';

/** Without a flag in the address, what we know of the visitor decides. */
export default function AllVideosPage() {
  const { artistId = '', service = brand().service, flag } = useParams();
  const known = useFlag();
  return (
    <ArtistGrid
      flavour={comedy}
      artistId={artistId}
      service={service}
      count={(flag ?? known) === '1' ? '1' : '0'}
    />
  );
}
