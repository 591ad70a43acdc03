/** The page of one video on demand: player, Like and Watchlist, related videos. */

import { useState } from 'react';
import { useParams } from 'react-router';
import type { TtVideo } from '../../../shared/contract/sites';
import { queryClient, useQuery } from '../../api/query-client';
import { seenCard } from '../../api/seen-videos';
import { brand } from '../../brand';
import { durationAndSize } from '../../clock';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { following, others, ROW_TO_SAVE, upcoming } from '../../related';
import { ownService } from '../../service-name';
import { ME } from '../../session';
import { LongText } from '../../ui/LongText';
import { Picture } from '../../ui/Picture';
import { Player } from '../../ui/Player';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { mineQuery, relatedQuery, tasteOf, videoQuery, watchlistQuery } from './api';
import { TtNav } from './TtNav';
import { VideoMarks } from './VideoMarks';
import { VideoRow } from './VideoRow';
import './tt.css';
import { Plain } from '../../ui/Plain';

export const page: PageOf = ({ id = '' }) => ({
  name: 'tt-video',
  queries: [videoQuery(id)],
  own: [{ queryKey: [ME] }, mineQuery(brand().service), watchlistQuery(brand().service)],
  follow: async () => {
    const { status } = await queryClient().fetchQuery(videoQuery(id));
    await queryClient().prefetchQuery(relatedQuery(status));
  },
});

export default function TtVideoPage() {
  const { id = '', service: named } = useParams();
  const service = ownService(named);
  const query = useQuery(videoQuery(id));
  const card = query.data ? undefined : seenCard(id);
  return (
    <Shell title={query.data?.name ?? card?.name ?? t('video')} nav={<TtNav service={service} />}>
      {!query.data && !card && <h1 className="visually-hidden">{t('video')}</h1>}
      <Loaded
        query={query}
        skeleton={
          <div className="watch">
            <div className="player ratio skeleton">
              {card && (
                <Picture src={card.imgurl} alt="" width={960} height={540} sizes="60vw" max={480} eager />
              )}
            </div>
            {card && (
              <div className="watch-text">
                <h1 lang={langOf(card.name_lang)}>{card.name}</h1>
              </div>
            )}
          </div>
        }
        empty={t('video-gone')}
      >
        {video => <Watch video={video} service={service} />}
      </Loaded>
    </Shell>
  );
}

function Watch({ video, service }: { video: TtVideo; service: string }) {
  const [settings, setSettings] = useState<HTMLElement | null>(null);
  const related = useQuery(relatedQuery(video.status));
  const next = following(related.data ?? [], video);
  const heading = <h2>{t('related')}</h2>;
  const filmOf = (each: TtVideo) => ({
    to: paths.ttVideo(each.id, service),
    title: each.name,
    lang: each.name_lang,
    image: each.imgurl,
    seconds: each.duration_s,
    brand: brand().label,
  });
  return (
    <div className="watch">
      <Player
        source={video.vurl}
        poster={video.imgurl}
        title={video.name}
        captions={video.captions}
        bytes={video.bytes}
        artist={video.artist}
        taste={tasteOf(video)}
        settings={settings}
        next={
          next && {
            to: paths.ttVideo(next.id, service),
            title: next.name,
            lang: langOf(next.name_lang),
            image: next.imgurl,
          }
        }
        film={filmOf(video)}
        row={upcoming(related.data ?? [], video, ROW_TO_SAVE).map(each => ({
          source: each.vurl,
          captions: each.captions,
          film: filmOf(each),
          queryKey: videoQuery(String(each.id)).queryKey,
        }))}
      />
      <div className="watch-text">
        <h1 lang={langOf(video.name_lang)}>{video.name}</h1>
        {video.video_name && video.video_name !== video.name && (
          <LongText text={video.video_name} lang={langOf(video.video_name_lang)} />
        )}
        <div className="watch-under">
          <p className="watch-facts">
            <span className="tag" lang={langOf(video.category_lang)}>
              {video.category}
            </span>
            <span>{t('views')}</span>
            <span>{durationAndSize(video.duration_s, video.bytes)}</span>
          </p>
          <div ref={setSettings} className="player-settings" />
        </div>
        <div id="marks" className="marks">
          <VideoMarks video={video} service={service} />
        </div>
      </div>
      <Plain>
        {SERVER_RENDERING && (
          <p className="plain-more">
            <a className="button button-quiet" href={paths.ttCategory(video.category_id, service)}>
              {t('more-of', { name: video.category })}
            </a>
          </p>
        )}
      </Plain>
      <Loaded
        query={related}
        skeleton={
          <div className="carousel">
            <div className="carousel-head">{heading}</div>
            <div className="carousel-list">
              <CardSkeletons count={4} shape="wide" />
            </div>
          </div>
        }
        empty={t('nothing-related')}
        isEmpty={videos => others(videos, video).length === 0}
      >
        {videos => (
          <VideoRow label={t('related')} heading={heading} videos={others(videos, video)} service={service} />
        )}
      </Loaded>
    </div>
  );
}
