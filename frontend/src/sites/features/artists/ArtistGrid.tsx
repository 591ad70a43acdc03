/** All videos of one artist, and a list of the other artists beside them. */

import { useInfiniteQuery } from '../../api/query-client';
import { longDate } from '../../clock';
import { langOf, t } from '../../messages';
import { type Flag, paths } from '../../paths';
import { EndlessList } from '../../ui/EndlessList';
import { NavLink } from '../../ui/NavLink';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery, artistVideosQuery } from './api';
import type { ArtistKind } from './artist-kinds';
import './artists.css';

/** Artists from which on the row leads to a page with all of them. */
const MANY = 12;

type Props = { kind: ArtistKind; artistId: string; service: string; count: Flag };

export function ArtistGrid({ kind, artistId, service, count }: Props) {
  const artists = useInfiniteQuery(artistsQuery(kind, service));
  const videos = useInfiniteQuery(artistVideosQuery(kind, artistId));
  const first = videos.data?.items[0];
  // The artist may be on a page of artists that is not loaded; videos carry the artist's name, too.
  const artist = artists.data?.items.find(each => String(each.id) === artistId)?.artist ?? first?.artist;
  // In view, on whichever page of artists it is.
  const chosen = { id: Number(artistId), artist: artist ?? '', artist_img_url: '' };
  const listed = artists.data?.items ?? [];
  const rail = [
    listed.find(each => String(each.id) === artistId) ?? chosen,
    ...listed.filter(each => String(each.id) !== artistId),
  ];
  const title = first ? kind.bannerTitle(first) : (artist ?? t('videos'));

  return (
    <Shell title={artist ?? t('videos')} nav={<ArtistLinks kind={kind} service={service} />}>
      <div className="artist-page">
        <aside className="artist-rail" aria-label={t(kind.plural)}>
          {listed.length > MANY && (
            <NavLink className="artist-chip artist-chip-all" to={paths.artists()}>
              <span>{t('all-artists')}</span>
            </NavLink>
          )}
          <EndlessList
            className="artist-rail-list"
            items={artist ? rail : listed}
            idOf={({ id }) => id}
            pages={artists}
            quiet
          >
            {each => <ArtistChip artist={each} kind={kind} service={service} />}
          </EndlessList>
          {artists.isPending && <div className="artist-chip skeleton" />}
        </aside>
        <div>
          <div className="banner-title">
            <p className="eyebrow">{artist ? `${t(kind.role)} · ${artist}` : t(kind.role)}</p>
            <h1 lang={first && langOf(first.video_name_lang)}>{title}</h1>
          </div>
          <Loaded
            query={videos}
            skeleton={
              <div className="grid grid-videos">
                <CardSkeletons count={6} shape="wide" />
              </div>
            }
            empty={t('no-videos')}
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
                    to={count === '1' ? kind.video(video.videoid, service, artistId) : kind.joinPath()}
                    image={video.imgurl}
                    title={video.video_name}
                    lang={langOf(video.video_name_lang)}
                    note={longDate(video.datetime)}
                    seconds={video.duration_s}
                    bytes={video.bytes}
                    eager={place < 2}
                  />
                )}
              </EndlessList>
            )}
          </Loaded>
        </div>
      </div>
    </Shell>
  );
}
