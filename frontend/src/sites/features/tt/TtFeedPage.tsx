/** All videos on demand, one after another. */

import { useMemo } from 'react';
import type { TtVideo } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { durationAndSize } from '../../clock';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { Feed, type FeedVideo } from '../../ui/Feed';
import { FeedFrame } from '../../ui/FeedFrame';
import { Loaded } from '../../ui/States';
import { tasteOf, ttFeedQuery } from './api';
import { VideoMarks } from './VideoMarks';

type Shown = FeedVideo & { video: TtVideo };

export const page: PageOf = () => ({ name: 'tt-feed', screen: false });

export default function TtFeedPage() {
  const { service } = brand();
  const list = useInfiniteQuery(ttFeedQuery(service));
  const items = list.data?.items;
  const videos = useMemo(
    () =>
      (items ?? []).map(
        (video): Shown => ({
          id: video.id,
          source: video.vurl,
          poster: video.imgurl,
          title: video.name,
          lang: langOf(video.name_lang),
          note: durationAndSize(video.duration_s, video.bytes),
          by: {
            name: video.category,
            lang: langOf(video.category_lang),
            to: paths.ttCategory(video.category_id, service),
          },
          taste: tasteOf(video),
          captions: video.captions,
          bytes: video.bytes,
          seconds: video.duration_s,
          to: paths.ttVideo(video.id, service),
          video,
        }),
      ),
    [items, service],
  );
  return (
    <FeedFrame>
      <Loaded query={list} skeleton={<div className="feed" />} empty={t('nothing-to-watch')}>
        {() => <Feed videos={videos} pages={list} Marks={Marks} />}
      </Loaded>
    </FeedFrame>
  );
}

const Marks = ({ video: { video } }: { video: Shown }) => (
  <VideoMarks video={video} service={brand().service} />
);
