/** Searches artists and their videos. */
import { segment } from '../../api/client';
import { searchQuery } from '../../api/search';
import type { FoundArtistOrVideo } from '../../api/types';
import { brand } from '../../brand';
import { longDate } from '../../clock';
import { useFlag } from '../../session';
import { EndlessList } from '../../ui/EndlessList';
import { Search } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistLinks } from './ArtistLinks';
import { comedy, football } from './flavour';
import './artists.css';

export default function ArtistSearchPage() {
  const { kind, service } = brand();
  const flavour = kind === 'diski' ? football : comedy;
  const flag = useFlag();
  const find = (words: string) =>
    searchQuery<FoundArtistOrVideo>(
      [flavour.api, 'search'],
      `${flavour.api}/search/${segment(service)}`,
      words,
    );
  const card = (found: FoundArtistOrVideo) => {
    if (!('videoid' in found))
      return (
        <VideoCard
          to={flavour.grid(found.id, service, '1')}
          image={found.artist_img_url}
          title={found.artist}
          note={flavour.role}
        />
      );
    const { videoid, artist_id, imgurl, video_name, artist, datetime, duration_s, bytes } = found;
    return (
      <VideoCard
        to={
          flag === '1' ? flavour.video(videoid, service, flavour.relatedMid ?? artist_id) : flavour.refused()
        }
        image={imgurl}
        title={video_name}
        note={`${artist} · ${longDate(datetime)}`}
        seconds={duration_s}
        bytes={bytes}
      />
    );
  };
  return (
    <Search
      nav={<ArtistLinks flavour={flavour} service={service} />}
      what={`Search ${flavour.plural.toLowerCase()} and videos`}
      find={find}
      skeleton={
        <div className="grid grid-videos">
          <CardSkeletons count={6} shape="wide" />
        </div>
      }
    >
      {({ items, name }, pages) => (
        <EndlessList
          key={name}
          className="grid grid-videos"
          items={items}
          // An artist and a video may have the same number.
          idOf={each => ('videoid' in each ? each.id : `artist-${each.id}`)}
          pages={pages}
        >
          {card}
        </EndlessList>
      )}
    </Search>
  );
}
