/** The visitor's own page: watchlist, likes, and the receipt. */
import { Link } from 'react-router';
import { useInfiniteQuery, useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { isOpen, ME, useSession } from '../../session';
import { Mine, MineSection } from '../../ui/Mine';
import { receiptQuery } from '../../ui/receipt';
import { VideoCard } from '../../ui/VideoCard';
import { mineQuery, videoQuery, watchlistQuery } from './api';
import { TtNav } from './TtNav';
import './tt.css';

/** The most cards in a list: the watchlist has a page of its own. */
const MAX_CARDS = 8;

export const page: PageOf = () => ({
  name: 'tt-mine',
  own: [{ queryKey: [ME] }, watchlistQuery(brand().service), mineQuery(brand().service), receiptQuery],
});

export default function TtMinePage() {
  const { service } = brand();
  return (
    <Mine nav={<TtNav service={service} />}>
      <Kept service={service} />
      <Liked service={service} />
    </Mine>
  );
}

function Kept({ service }: { service: string }) {
  const session = useSession();
  const { data } = useInfiniteQuery({ ...watchlistQuery(service), enabled: isOpen(session) });
  if (!data?.items.length) return null;
  return (
    <MineSection
      heading={t('watchlist')}
      more={
        <Link className="button button-quiet" to={paths.watchlist()}>
          {t('watchlist-all')}
        </Link>
      }
    >
      <ul className="grid grid-videos">
        {data.items
          .slice(0, MAX_CARDS)
          .map(({ videoid, imgurl, name, name_lang, artist, duration_s, bytes }) => (
            <li key={videoid}>
              <VideoCard
                to={paths.ttVideo(videoid, service)}
                image={imgurl}
                title={name}
                lang={langOf(name_lang)}
                note={artist}
                seconds={duration_s}
                bytes={bytes}
              />
            </li>
          ))}
      </ul>
    </MineSection>
  );
}

function Liked({ service }: { service: string }) {
  const session = useSession();
  const liked = useQuery({ ...mineQuery(service), enabled: isOpen(session) }).data?.liked ?? [];
  if (liked.length === 0) return null;
  return (
    <MineSection heading={t('liked')}>
      <ul className="grid grid-videos">
        {liked
          .slice(-MAX_CARDS)
          .reverse()
          .map(id => (
            <LikedVideo key={id} id={id} service={service} />
          ))}
      </ul>
    </MineSection>
  );
}

function LikedVideo({ id, service }: { id: number; service: string }) {
  const { data: video } = useQuery(videoQuery(String(id)));
  if (!video) return null;
  return (
    <li>
      <VideoCard
        to={paths.ttVideo(id, service)}
        image={video.imgurl}
        title={video.name}
        lang={langOf(video.name_lang)}
        note={video.artist}
        seconds={video.duration_s}
        bytes={video.bytes}
      />
    </li>
  );
}
