/** All videos of one category. */

import { type Params, useParams } from 'react-router';
import { queryClient, useQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { useFirstScreen } from '../../hydration';
import { paths } from '../../paths';
import { PlainMore } from '../../ui/PlainMore';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { categoryQuery } from './api';
import { TtNav } from './TtNav';
import './tt.css';

export const prefetch = ({ cat = '' }: Params) => queryClient().prefetchQuery(categoryQuery(cat));

export default function TtCategoryPage() {
  const { cat = '', service = brand().service } = useParams();
  const category = useQuery(categoryQuery(cat));
  const onScreen = useFirstScreen();
  const title = category.data?.categoryName ?? 'Category';
  return (
    <Shell title={title} nav={<TtNav service={service} />}>
      <h1 className="page-heading">{title}</h1>
      <Loaded
        query={category}
        skeleton={
          <div className="grid grid-videos">
            <CardSkeletons count={8} shape="wide" />
          </div>
        }
        empty="No videos in this category yet."
        isEmpty={({ videos }) => videos.length === 0}
      >
        {({ videos }) => (
          <div className="grid grid-videos">
            {onScreen(videos).map((video, place) => (
              <VideoCard
                key={video.id}
                to={paths.ttVideo(video.id, service)}
                image={video.imgurl}
                title={video.name}
                note={video.artist}
                seconds={video.duration_s}
                bytes={video.bytes}
                eager={place < 2}
              />
            ))}
          </div>
        )}
      </Loaded>
      <noscript>{SERVER_RENDERING && <PlainMore list={category.data?.videos} />}</noscript>
    </Shell>
  );
}
