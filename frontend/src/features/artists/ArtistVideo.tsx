/** The page of one video of an artist, with the artist's other videos below it. */

import { type RefObject, useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import type { ArtistVideo as Video } from '../../api/contract';
import { useInfiniteQuery, useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { durationAndSize, longDate } from '../../clock';
import { t } from '../../messages';
import { following, others } from '../../related';
import { ownService } from '../../service-name';
import { EndlessList } from '../../ui/EndlessList';
import { Player } from '../../ui/Player';
import { ShareButton } from '../../ui/ShareButton';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded, Notice } from '../../ui/States';
import type { NextVideo } from '../../ui/UpNext';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistLinks } from './ArtistLinks';
import { relatedQuery, videoQuery } from './api';
import type { ArtistKind } from './artist-kinds';
import './artists.css';
import { Plain } from '../../ui/Plain';

export function ArtistVideo({ kind }: { kind: ArtistKind }) {
  const { id = '', service: named, mid = '' } = useParams();
  const service = ownService(named);
  const query = useQuery(videoQuery(kind, id));
  const next = useRef<NextVideo | undefined>(undefined);
  return (
    <Shell
      title={query.data?.[0]?.video_name ?? t('video')}
      nav={<ArtistLinks kind={kind} service={service} />}
    >
      {!query.data?.[0] && <h1 className="visually-hidden">{t('video')}</h1>}
      <Loaded query={query} skeleton={<WatchSkeleton />} empty={t('video-gone')}>
        {([video]) =>
          video ? (
            <div className="watch">
              <Player
                source={video.vurl}
                poster={video.imgurl}
                title={video.video_name}
                captions={video.captions}
                bytes={video.bytes}
                artist={video.artist}
                next={next}
                film={{
                  to: kind.video(video.videoid, service, kind.relatedMid ?? video.artist_id),
                  title: video.video_name,
                  image: video.imgurl,
                  seconds: video.duration_s,
                  brand: brand().label,
                }}
              />
              <div className="watch-text">
                <h1>{video.video_name}</h1>
                <p>
                  <strong>{video.artist}</strong> · {longDate(video.datetime)}
                </p>
                <div className="marks">
                  <ShareButton
                    title={video.video_name}
                    path={kind.video(video.videoid, service, kind.relatedMid ?? video.artist_id)}
                  />
                  <span className="watch-weight">{durationAndSize(video.duration_s, video.bytes)}</span>
                </div>
              </div>
              <Plain>
                {SERVER_RENDERING && (
                  <p className="plain-more">
                    <a className="button button-quiet" href={kind.grid(video.artist_id, service, '1')}>
                      {t('more-of', { name: video.artist })}
                    </a>
                  </p>
                )}
              </Plain>
              <Related kind={kind} video={video} service={service} mid={mid} next={next} />
            </div>
          ) : (
            <Notice>{t('video-gone')}</Notice>
          )
        }
      </Loaded>
    </Shell>
  );
}

type RelatedProps = {
  kind: ArtistKind;
  video: Video;
  service: string;
  mid: string;
  next: RefObject<NextVideo | undefined>;
};

function Related({ kind, video, service, mid, next }: RelatedProps) {
  // Football links always have `mid` 1, so the artist comes from the video if it is loaded.
  const artistId = video.artist_id ?? mid;
  const related = useInfiniteQuery(relatedQuery(kind, artistId));
  useEffect(() => {
    const after = following(related.data?.items ?? [], video);
    next.current = after && {
      to: kind.video(after.videoid, service, kind.relatedMid ?? artistId),
      title: after.video_name,
      image: after.imgurl,
    };
  });
  return (
    <section className="related">
      <h2>{t('related')}</h2>
      <Loaded
        query={related}
        skeleton={
          <div className="grid grid-videos">
            <CardSkeletons count={4} shape="wide" />
          </div>
        }
        empty={t('nothing-related')}
        isEmpty={({ items }) => others(items, video).length === 0}
      >
        {({ items }) => (
          <EndlessList
            key={video.id}
            className="grid grid-videos"
            items={others(items, video)}
            idOf={({ id }) => id}
            pages={related}
          >
            {each => (
              <VideoCard
                to={kind.video(each.videoid, service, kind.relatedMid ?? artistId)}
                image={each.imgurl}
                title={each.video_name}
                note={longDate(each.datetime)}
                seconds={each.duration_s}
                bytes={each.bytes}
              />
            )}
          </EndlessList>
        )}
      </Loaded>
    </section>
  );
}

function WatchSkeleton() {
  return (
    <div className="watch">
      <div className="player ratio skeleton" />
      <div className="watch-text">
        <div className="skeleton skeleton-line skeleton-title" />
        <div className="skeleton skeleton-line skeleton-short" />
      </div>
    </div>
  );
}
