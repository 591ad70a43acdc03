import { useParams } from 'react-router';
import { brand } from '../../brand';
import { ArtistGrid } from './ArtistGrid';
import { football } from './flavour';

export default function ArtistVideosPage() {
  const { id = '', service = brand().service, count } = useParams();
  return <ArtistGrid flavour={football} artistId={id} service={service} count={count === '1' ? '1' : '0'} />;
}
