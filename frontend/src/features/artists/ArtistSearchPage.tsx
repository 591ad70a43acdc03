/** Searches artists and their videos. */
import { useQuery } from '../../api/query-client';
import type { ArtistVideo } from '../../api/types';
import { brand } from '../../brand';
import { longDate } from '../../clock';
import { useFlag } from '../../session';
import { Found, matches, Search } from '../../ui/Search';
import { CardSkeletons, Loaded } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { everyVideoQuery } from './api';
import { comedy, football } from './flavour';
import './artists.css';

export default function ArtistSearchPage() {
  const { kind, service } = brand();
  const flavour = kind === 'diski' ? football : comedy;
  const flag = useFlag();
  const query = useQuery(everyVideoQuery(flavour, service));
  const addressOf = ({ videoid, artist_id }: ArtistVideo) =>
    flag === '1' ? flavour.video(videoid, service, flavour.relatedMid ?? artist_id) : flavour.refused();
  return (
    <Search
      nav={<ArtistLinks flavour={flavour} service={service} />}
      what={`Search ${flavour.plural.toLowerCase()} and videos`}
    >
      {words => (
        <Loaded
          query={query}
          skeleton={
            <div className="grid grid-videos">
              <CardSkeletons count={6} shape="wide" />
            </div>
          }
          empty="Nothing here yet. Come back soon."
          isEmpty={({ artists }) => artists.length === 0}
        >
          {all => {
            const artists = all.artists.filter(each => matches(words, each.artist, each.description));
            const videos = all.videos.filter(each => matches(words, each.video_name, each.artist));
            return (
              <>
                <Found count={artists.length + videos.length} />
                <div className="search-artists">
                  {artists.map(each => (
                    <ArtistChip key={each.id} artist={each} flavour={flavour} service={service} />
                  ))}
                </div>
                <div className="grid grid-videos">
                  {videos.map(each => (
                    <VideoCard
                      key={each.videoid}
                      to={addressOf(each)}
                      image={each.imgurl}
                      title={each.video_name}
                      note={`${each.artist} · ${longDate(each.datetime)}`}
                      seconds={each.duration_s}
                      bytes={each.bytes}
                    />
                  ))}
                </div>
              </>
            );
          }}
        </Loaded>
      )}
    </Search>
  );
}
