/** The visitor's own page: liked memes, and the receipt. */
import { useInfiniteQuery } from '../../api/query-client';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { isOpen, ME, useSession } from '../../session';
import { Mine, MineSection } from '../../ui/Mine';
import { receiptQuery } from '../../ui/receipt';
import { likedQuery } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav } from './MemeNav';
import './memes.css';

export const page: PageOf = () => ({
  name: 'meme-mine',
  own: [{ queryKey: [ME] }, likedQuery, receiptQuery],
});

export default function MemeMinePage() {
  return (
    <Mine nav={<MemeNav flag="1" />}>
      <Liked />
    </Mine>
  );
}

function Liked() {
  const session = useSession();
  const liked = useInfiniteQuery({ ...likedQuery, enabled: isOpen(session) });
  if (!liked.data?.items.length) return null;
  return (
    <MineSection heading={t('liked')}>
      <MemeGrid memes={liked.data.items} pages={liked} />
    </MineSection>
  );
}
