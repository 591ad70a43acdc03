/** All videos of one category. */

import { useParams } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { ownService } from '../../service-name';
import { useLeftAtOnce } from '../../taste';
import { EndlessList } from '../../ui/EndlessList';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { categoryQuery, watchlistQuery } from './api';
import { TtNav } from './TtNav';
import './tt.css';

export const page: PageOf = ({ cat = '' }) => ({
  name: 'tt-category',
  queries: [categoryQuery(cat)],
  own: [watchlistQuery(brand().service)],
  list: true,
});

export default function TtCategoryPage() {
  const { cat = '', service: named } = useParams();
  const service = ownService(named);
  const category = useInfiniteQuery(categoryQuery(cat));
  useLeftAtOnce(`category-${cat}`);
  const title = category.data?.name ?? t('category');
  return (
    <Shell title={title} nav={<TtNav service={service} />}>
      <h1 className="page-heading" lang={category.data && langOf(category.data.lang)}>
        {title}
      </h1>
      <Loaded
        query={category}
        skeleton={
          <div className="grid grid-videos">
            <CardSkeletons count={8} shape="wide" />
          </div>
        }
        empty={t('no-videos-in-category')}
      >
        {({ items }) => (
          <EndlessList
            key={cat}
            className="grid grid-videos"
            items={items}
            idOf={({ id }) => id}
            pages={category}
          >
            {(video, place) => (
              <VideoCard
                to={paths.ttVideo(video.id, service)}
                image={video.imgurl}
                title={video.name}
                lang={langOf(video.name_lang)}
                note={video.artist}
                seconds={video.duration_s}
                bytes={video.bytes}
                eager={place < 2}
              />
            )}
          </EndlessList>
        )}
      </Loaded>
    </Shell>
  );
}
