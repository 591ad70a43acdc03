/** Searches artists and their videos. */

import type { FoundArtistOrVideo } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { longDate } from '../../clock';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { useFlag } from '../../session';
import { EndlessList } from '../../ui/EndlessList';
import { Search, SearchSection } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery, foundQuery, newestQuery } from './api';
import { ownKind } from './artist-kinds';
import './artists.css';

export const page: PageOf = ({ q }) => ({
  name: `${brand().kind}-search`,
  queries: [
    ...(q ? [foundQuery(ownKind(), brand().service, q)] : []),
    artistsQuery(ownKind(), brand().service),
  ],
  list: true,
});

export default function ArtistSearchPage() {
  const { service } = brand();
  const kind = ownKind();
  const flag = useFlag();
  const artists = useInfiniteQuery(artistsQuery(kind, service));
  const newest = useInfiniteQuery(newestQuery(kind, service));
  const card = (found: FoundArtistOrVideo) => {
    if (!('videoid' in found))
      return (
        <VideoCard
          to={kind.grid(found.id, service, '1')}
          image={found.artist_img_url}
          title={found.artist}
          note={t(kind.role)}
        />
      );
    const { videoid, artist_id, imgurl, video_name, video_name_lang, artist, datetime, duration_s, bytes } =
      found;
    return (
      <VideoCard
        to={flag === '1' ? kind.video(videoid, service, kind.relatedMid ?? artist_id) : kind.joinPath()}
        image={imgurl}
        title={video_name}
        lang={langOf(video_name_lang)}
        note={`${artist} · ${longDate(datetime)}`}
        seconds={duration_s}
        bytes={bytes}
      />
    );
  };
  return (
    <Search
      nav={<ArtistLinks kind={kind} service={service} />}
      placeholder={t(kind.search)}
      find={words => foundQuery(kind, service, words)}
      skeleton={
        <div className="grid grid-videos">
          <CardSkeletons count={6} shape="wide" />
        </div>
      }
      before={
        <>
          <SearchSection heading={t('newest')} list={newest.data}>
            {items => (
              <EndlessList className="grid grid-videos" items={items} idOf={({ id }) => id}>
                {card}
              </EndlessList>
            )}
          </SearchSection>
          <SearchSection heading={t(kind.plural)} list={artists.data}>
            {items => (
              <EndlessList className="search-faces" items={items} idOf={({ id }) => id} pages={artists} quiet>
                {each => <ArtistChip artist={each} kind={kind} service={service} />}
              </EndlessList>
            )}
          </SearchSection>
        </>
      }
    >
      {({ items, name }, pages) => (
        <EndlessList
          key={name}
          className="grid grid-videos"
          items={items}
          // An artist and a video may have the same id.
          idOf={each => ('videoid' in each ? each.id : `artist-${each.id}`)}
          pages={pages}
        >
          {card}
        </EndlessList>
      )}
    </Search>
  );
}
