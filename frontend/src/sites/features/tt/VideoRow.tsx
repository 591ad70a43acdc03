/** A row of videos, each linked to its page. */
import type { ReactNode } from 'react';
import type { TtCard } from '../../../shared/contract/sites';
import { langOf } from '../../messages';
import { paths } from '../../paths';
import { Carousel } from '../../ui/Carousel';
import { VideoCard } from '../../ui/VideoCard';

type Props = { label: string; heading: ReactNode; videos: TtCard[]; service: string; eager?: boolean };

export function VideoRow({ label, heading, videos, service, eager = false }: Props) {
  return (
    <Carousel
      label={label}
      heading={heading}
      shape="row"
      eager={eager}
      slides={videos.map((video, place) => ({
        key: String(video.id),
        body: (copy, near) => (
          <VideoCard
            to={paths.ttVideo(video.id, service)}
            image={video.imgurl}
            title={video.name}
            lang={langOf(video.name_lang)}
            seconds={video.duration_s}
            bytes={video.bytes}
            eager={eager && place < 2}
            after={eager}
            copy={copy}
            near={near}
          />
        ),
      }))}
    />
  );
}
