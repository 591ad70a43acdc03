import { useParams } from 'react-router';
import type { PageOf } from '../../page';
import { ownService } from '../../service-name';
import { ArtistGrid } from './ArtistGrid';
import { football } from './artist-kinds';
import { gridPage } from './pages';

export const page: PageOf = ({ id = '' }) => gridPage(football, id);

export default function ArtistVideosPage() {
  const { id = '', service: named, count } = useParams();
  const service = ownService(named);
  return <ArtistGrid kind={football} artistId={id} service={service} count={count === '1' ? '1' : '0'} />;
}
