/** All videos of one artist, with a menu that switches the artist in place. */
import { useQuery } from '../../api/query-client';
import { longDate } from '../../clock';
import { useFirstScreen } from '../../hydration';
import type { Flag } from '../../paths';
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
  const artists = useQuery(artistsQuery(flavour, service));
  const videos = useQuery(artistVideosQuery(flavour, artistId));
  const artist = artists.data?.find(each => String(each.id) === artistId);
  const onScreen = useFirstScreen();
  const first = videos.data?.[0];
  const title = first ? flavour.bannerTitle(first) : (artist?.artist ?? 'Videos');

  return (
    <Shell title={artist?.artist ?? 'Videos'} nav={<ArtistLinks flavour={flavour} service={service} />}>
      <div className="artist-page">
        <aside className="artist-rail" aria-label={flavour.plural}>
          {onScreen(artists.data ?? []).map(each => (
            <ArtistChip key={each.id} artist={each} flavour={flavour} service={service} />
          ))}
          {artists.isPending && <div className="artist-chip skeleton" />}
        </aside>
        <div>
          <div className="banner-title">
            <p className="eyebrow">{artist ? `${flavour.role} · ${artist.artist}` : flavour.role}</p>
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
            {list => (
              <div className="grid grid-videos">
                {onScreen(list).map((video, place) => (
                  <VideoCard
                    key={video.videoid}
                    to={count === '1' ? flavour.video(video.videoid, service, artistId) : flavour.refused()}
                    image={video.imgurl}
                    title={video.video_name}
                    note={longDate(video.datetime)}
                    seconds={video.duration_s}
                    bytes={video.bytes}
                    eager={place < 2}
                  />
                ))}
              </div>
            )}
          </Loaded>
          <noscript>{SERVER_RENDERING && <PlainMore list={videos.data} />}</noscript>
        </div>
      </div>
    </Shell>
  );
}
