/** Artists and their videos: the same four calls under two prefixes. */
import { catalogueQuery } from '../../api/catalogue';
import { segment } from '../../api/client';
import { everything, listQuery } from '../../api/list';
import type { Artist, ArtistVideo } from '../../api/types';
import { apiService } from '../../service-name';
import type { Flavour } from './flavour';

export const artistsQuery = ({ api }: Flavour, service: string) =>
  listQuery<Artist[], Artist>(
    [api, 'artists', apiService(service)],
    `${api}/fetchArtist?service=${segment(apiService(service))}`,
  );

export const artistVideosQuery = ({ api }: Flavour, artistId: string) =>
  listQuery<ArtistVideo[], ArtistVideo>([api, 'videos', artistId], `${api}/fetchVideos/${segment(artistId)}`);

export const videoQuery = ({ api }: Flavour, id: string) =>
  catalogueQuery([api, 'video', id], `${api}/fetchsingle/${segment(id)}`, everything<ArtistVideo>);

export const relatedQuery = ({ api }: Flavour, artistId: number | string) =>
  listQuery<ArtistVideo[], ArtistVideo>(
    [api, 'related', String(artistId)],
    `${api}/common/${segment(artistId)}`,
  );
