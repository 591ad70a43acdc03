/** Artists and their videos: the same four calls under two prefixes. */
import { catalogueQuery } from '../../api/catalogue';
import { segment } from '../../api/client';
import { queryOptions } from '../../api/query-client';
import type { Artist, ArtistVideo } from '../../api/types';
import { apiService } from '../../service-name';
import type { Flavour } from './flavour';

const listOf = <T>(reply: unknown): T[] => (Array.isArray(reply) ? reply : []);

export const artistsQuery = ({ api }: Flavour, service: string) =>
  catalogueQuery(
    [api, 'artists', apiService(service)],
    `${api}/fetchArtist?service=${segment(apiService(service))}`,
    listOf<Artist>,
  );

export const artistVideosQuery = ({ api }: Flavour, artistId: string) =>
  catalogueQuery([api, 'videos', artistId], `${api}/fetchVideos/${segment(artistId)}`, listOf<ArtistVideo>);

export const videoQuery = ({ api }: Flavour, id: string) =>
  catalogueQuery([api, 'video', id], `${api}/fetchsingle/${segment(id)}`, listOf<ArtistVideo>);

export const relatedQuery = ({ api }: Flavour, artistId: number | string) =>
  catalogueQuery(
    [api, 'related', String(artistId)],
    `${api}/common/${segment(artistId)}`,
    listOf<ArtistVideo>,
  );

/** More artists than this are not looked through: each costs a call. */
const SEARCHED = 40;

/** Every artist and video of the service, for the search. */
export const everyVideoQuery = (flavour: Flavour, service: string) =>
  queryOptions({
    queryKey: [flavour.api, 'all', apiService(service)],
    queryFn: async ({ client }) => {
      const artists = await client.ensureQueryData(artistsQuery(flavour, service));
      const lists = await Promise.all(
        artists
          .slice(0, SEARCHED)
          .map(({ id }) => client.ensureQueryData(artistVideosQuery(flavour, String(id)))),
      );
      return { artists, videos: lists.flat() };
    },
  });
