/** The page of one video of an artist, with the artist's other videos below it. */

import { useState } from 'react';
import { useParams } from 'react-router';
import type { ArtistVideo as Video } from '../../../shared/contract/sites';
import { useInfiniteQuery, useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { durationAndSize, longDate } from '../../clock';
import { langOf, t } from '../../messages';
import { following, others, ROW_TO_SAVE, upcoming } from '../../related';
import { ownService } from '../../service-name';
import { EndlessList } from '../../ui/EndlessList';
import { Player } from '../../ui/Player';
import { ShareButton } from '../../ui/ShareButton';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded, Notice } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistLinks } from './ArtistLinks';
import { relatedQuery, tasteOf, videoQuery } from './api';
import type { ArtistKind } from './artist-kinds';
import './artists.css';
import { Plain } from '../../ui/Plain';

export function ArtistVideo({ kind }: { kind: ArtistKind }) {
  const { id = '', service: named, mid = '' } = useParams();
  const service = ownService(named);
  const query = useQuery(videoQuery(kind, id));
  return (
    <Shell
      title={query.data?.[0]?.video_name ?? t('video')}
      nav={<ArtistLinks kind={kind} service={service} />}
    >
      {!query.data?.[0] && <h1 className="visually-hidden">{t('video')}</h1>}
      <Loaded query={query} skeleton={<WatchSkeleton />} empty={t('video-gone')}>
        {([video]) =>
          video ? (
            <Watch kind={kind} video={video} service={service} mid={mid} />
          ) : (
            <Notice>{t('video-gone')}</Notice>
          )
        }
      </Loaded>
    </Shell>
  );
}

type WatchProps = { kind: ArtistKind; video: Video; service: string; mid: string };

function Watch({ kind, video, service, mid }: WatchProps) {
  const [settings, setSettings] = useState<HTMLElement | null>(null);
  // Football links always have `mid` 1, so the artist comes from the video.
  const artistId = video.artist_id ?? mid;
  const related = useInfiniteQuery(relatedQuery(kind, artistId));
  const next = following(related.data?.items ?? [], video);
  const addressOf = ({ videoid }: Video) => kind.video(videoid, service, kind.relatedMid ?? artistId);
  const filmOf = (each: Video) => ({
    to: addressOf(each),
    title: each.video_name,
    lang: each.video_name_lang,
    image: each.imgurl,
    seconds: each.duration_s,
    brand: brand().label,
  });
  return (
    <div className="watch">
      <Player
        source={video.vurl}
        poster={video.imgurl}
        title={video.video_name}
        captions={video.captions}
        bytes={video.bytes}
        artist={video.artist}
        taste={tasteOf(video)}
        settings={settings}
        next={
          next && {
            to: addressOf(next),
            title: next.video_name,
            lang: langOf(next.video_name_lang),
            image: next.imgurl,
          }
        }
        film={filmOf(video)}
        row={upcoming(related.data?.items ?? [], video, ROW_TO_SAVE).map(each => ({
          source: each.vurl,
          captions: each.captions,
          film: filmOf(each),
          queryKey: videoQuery(kind, String(each.videoid)).queryKey,
        }))}
      />
      <div className="watch-text">
        <h1 lang={langOf(video.video_name_lang)}>{video.video_name}</h1>
        <div className="watch-under">
          <p>
            <strong>{video.artist}</strong> · {longDate(video.datetime)}
          </p>
          <div ref={setSettings} className="player-settings" />
        </div>
        <div className="marks">
          <ShareButton title={video.video_name} path={addressOf(video)} />
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
                  to={addressOf(each)}
                  image={each.imgurl}
                  title={each.video_name}
                  lang={langOf(each.video_name_lang)}
                  note={longDate(each.datetime)}
                  seconds={each.duration_s}
                  bytes={each.bytes}
                />
              )}
            </EndlessList>
          )}
        </Loaded>
      </section>
    </div>
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
