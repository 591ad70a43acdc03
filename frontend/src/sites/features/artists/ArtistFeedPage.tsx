/** All videos of comedians or footballers, one after another. */

import { useMemo } from 'react';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { durationAndSize } from '../../clock';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { Feed, type FeedVideo } from '../../ui/Feed';
import { FeedFrame } from '../../ui/FeedFrame';
import { ShareButton } from '../../ui/ShareButton';
import { Loaded } from '../../ui/States';
import { artistFeedQuery, artistsQuery, tasteOf } from './api';
import { ownKind } from './artist-kinds';

export const page: PageOf = () => ({ name: `${brand().kind}-feed`, screen: false });

export default function ArtistFeedPage() {
  const { service } = brand();
  const kind = ownKind();
  const list = useInfiniteQuery(artistFeedQuery(kind, service));
  const items = list.data?.items;
  const artists = useInfiniteQuery(artistsQuery(kind, service)).data?.items;
  const videos = useMemo(
    () =>
      (items ?? []).map(
        (video): FeedVideo => ({
          id: video.id,
          source: video.vurl,
          poster: video.imgurl,
          title: video.video_name,
          lang: langOf(video.video_name_lang),
          note: durationAndSize(video.duration_s, video.bytes),
          by: {
            name: video.artist,
            to: kind.grid(video.artist_id, service, '1'),
            face: artists?.find(({ id }) => id === video.artist_id)?.artist_img_url ?? '',
          },
          taste: tasteOf(video),
          captions: video.captions,
          bytes: video.bytes,
          seconds: video.duration_s,
          to: kind.video(video.videoid, service, kind.relatedMid ?? video.artist_id),
        }),
      ),
    [items, artists, kind, service],
  );
  return (
    <FeedFrame>
      <Loaded query={list} skeleton={<div className="feed" />} empty={t('nothing-to-watch')}>
        {() => <Feed videos={videos} pages={list} Marks={Marks} />}
      </Loaded>
    </FeedFrame>
  );
}

const Marks = ({ video }: { video: FeedVideo }) => <ShareButton title={video.title} path={video.to} />;
