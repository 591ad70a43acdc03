/** The visitor's own page on a site of artists. */
import { brand } from '../../brand';
import type { PageOf } from '../../page';
import { ME } from '../../session';
import { Mine } from '../../ui/Mine';
import { receiptQuery } from '../../ui/receipt';
import { ArtistLinks } from './ArtistLinks';
import { ownKind } from './artist-kinds';

export const page: PageOf = () => ({
  name: `${brand().kind}-mine`,
  own: [{ queryKey: [ME] }, receiptQuery],
});

export default function ArtistMinePage() {
  return <Mine nav={<ArtistLinks kind={ownKind()} service={brand().service} />} />;
}
