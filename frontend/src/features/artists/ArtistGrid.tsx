/** All videos of one artist, with a menu that switches the artist in place. */
import { useInfiniteQuery } from '../../api/query-client';
import { longDate } from '../../clock';
import type { Flag } from '../../paths';
import { EndlessList } from '../../ui/EndlessList';
import { PlainMore } from '../../ui/PlainMore';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery, artistVideosQuery } from './api';
import type { Flavour } from './flavour';
import './artists.css';

type Props = { flavour: Flavour; artistId: string; service: string; count: Flag };

export function ArtistGrid({ flavour, artistId, service, count }: Props) {
  const artists = useInfiniteQuery(artistsQuery(flavour, service));
  const videos = useInfiniteQuery(artistVideosQuery(flavour, artistId));
  const first = videos.data?.items[0];
  // Whoever is not on the first page of artists has a name on each video.
  const artist = artists.data?.items.find(each => String(each.id) === artistId)?.artist ?? first?.artist;
  const title = first ? flavour.bannerTitle(first) : (artist ?? 'Videos');

  return (
    <Shell title={artist ?? 'Videos'} nav={<ArtistLinks flavour={flavour} service={service} />}>
      <div className="artist-page">
        <aside className="artist-rail" aria-label={flavour.plural}>
          <EndlessList
            className="artist-rail-list"
            items={artists.data?.items ?? []}
            idOf={({ id }) => id}
            pages={artists}
            quiet
          >
            {each => <ArtistChip artist={each} flavour={flavour} service={service} />}
          </EndlessList>
          {artists.isPending && <div className="artist-chip skeleton" />}
        </aside>
        <div>
          <div className="banner-title">
            <p className="eyebrow">{artist ? `${flavour.role} · ${artist}` : flavour.role}</p>
            <h1>{title}</h1>
          </div>
          <Loaded
            query={videos}
            skeleton={
              <div className="grid grid-videos">
                <CardSkeletons count={6} shape="wide" />
              </div>
            }
            empty="No videos here yet. Come back soon."
          >
            {({ items }) => (
              <EndlessList
                key={artistId}
                className="grid grid-videos"
                items={items}
                idOf={({ id }) => id}
                pages={videos}
              >
                {(video, place) => (
                  <VideoCard
                    to={count === '1' ? flavour.video(video.videoid, service, artistId) : flavour.refused()}
                    image={video.imgurl}
                    title={video.video_name}
                    note={longDate(video.datetime)}
                    seconds={video.duration_s}
                    bytes={video.bytes}
                    eager={place < 2}
                  />
                )}
              </EndlessList>
            )}
          </Loaded>
          <noscript>{SERVER_RENDERING && <PlainMore list={videos.data?.items} />}</noscript>
        </div>
      </div>
    </Shell>
  );
}
