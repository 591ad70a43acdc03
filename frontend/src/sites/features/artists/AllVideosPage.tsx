import { useParams } from 'react-router';
import type { PageOf } from '../../page';
import { ownService } from '../../service-name';
import { useFlag } from '../../session';
import { ArtistGrid } from './ArtistGrid';
import { comedy } from './artist-kinds';
import { gridPage } from './pages';

export const page: PageOf = ({ artistId = '' }) => gridPage(comedy, artistId);

/** Without a flag in the address, the visitor's own flag is used. */
export default function AllVideosPage() {
  const { artistId = '', service: named, flag } = useParams();
  const service = ownService(named);
  const visitorFlag = useFlag();
  return (
    <ArtistGrid
      kind={comedy}
      artistId={artistId}
      service={service}
      count={(flag ?? visitorFlag) === '1' ? '1' : '0'}
    />
  );
}
