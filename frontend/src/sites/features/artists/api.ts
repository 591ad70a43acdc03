/** Artists and their videos: comedy and football have the same calls under two prefixes. */

import type { ArtistVideo, FoundArtistOrVideo } from '../../../shared/contract/sites';
import { catalogueQuery } from '../../api/catalogue';
import { address } from '../../api/client';
import { feedQuery } from '../../api/feed';
import { asArray, listQuery } from '../../api/list';
import { FEW, SEARCH_LIMIT, searchQuery } from '../../api/search';
import { seenVideo } from '../../api/seen-videos';
import { apiService } from '../../service-name';
import type { ArtistKind } from './artist-kinds';

const artistsAt = ({ api }: ArtistKind, service: string, limit?: number) =>
  address(`GET ${api}/fetchArtist`, { query: { service: apiService(service), limit } });
const videosAt = ({ api }: ArtistKind, artist_id: number | string) =>
  address(`GET ${api}/fetchVideos/{artist_id}`, { path: { artist_id } });

export const artistsQuery = (kind: ArtistKind, service: string) => listQuery(artistsAt(kind, service));

export const artistVideosQuery = (kind: ArtistKind, artistId: string) => listQuery(videosAt(kind, artistId));

export const videoQuery = ({ api }: ArtistKind, id: string) => ({
  ...catalogueQuery(address(`GET ${api}/fetchsingle/{id}`, { path: { id } }), asArray<ArtistVideo>),
  placeholderData: () => {
    const video = seenVideo<ArtistVideo>(id);
    return video && [video];
  },
});

export const relatedQuery = ({ api }: ArtistKind, mid: number | string) =>
  listQuery(address(`GET ${api}/common/{mid}`, { path: { mid } }));

export const foundQuery = ({ api }: ArtistKind, service: string, q: string) =>
  searchQuery<FoundArtistOrVideo>(
    address(`GET ${api}/search/{service}`, { path: { service }, query: { q, limit: SEARCH_LIMIT } }),
    q,
  );

export const newestQuery = ({ api }: ArtistKind, service: string) =>
  searchQuery<FoundArtistOrVideo>(
    address(`GET ${api}/search/{service}`, {
      path: { service },
      query: { order: 'newest', limit: FEW },
    }),
    '',
  );

/** What taste.ts calls the artist of a video. */
export const tasteOf = ({ artist_id }: ArtistVideo) => `artist-${artist_id}`;

export const artistFeedQuery = (kind: ArtistKind, service: string) =>
  feedQuery({
    groups: artistsAt(kind, service, 1),
    videosOf: id => videosAt(kind, id),
    videos: asArray<ArtistVideo>,
    taste: { prefix: 'artist-', keyOf: tasteOf },
  });
