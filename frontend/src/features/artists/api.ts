/** Artists and their videos: the same four calls under two prefixes. */
import { queryOptions } from '@tanstack/react-query';
import { get, segment } from '../../api/client';
import type { Artist, ArtistVideo } from '../../api/types';
import { apiService } from '../../service-name';
import type { Flavour } from './flavour';

const listOf = <T>(reply: unknown): T[] => (Array.isArray(reply) ? reply : []);

export const artistsQuery = ({ api }: Flavour, service: string) =>
  queryOptions({
    queryKey: [api, 'artists', apiService(service)],
    queryFn: async () =>
      listOf<Artist>(await get(`${api}/fetchArtist?service=${segment(apiService(service))}`)),
  });

export const artistVideosQuery = ({ api }: Flavour, artistId: string) =>
  queryOptions({
    queryKey: [api, 'videos', artistId],
    queryFn: async () => listOf<ArtistVideo>(await get(`${api}/fetchVideos/${segment(artistId)}`)),
  });

export const videoQuery = ({ api }: Flavour, id: string) =>
  queryOptions({
    queryKey: [api, 'video', id],
    queryFn: async () => listOf<ArtistVideo>(await get(`${api}/fetchsingle/${segment(id)}`)),
  });

export const relatedQuery = ({ api }: Flavour, artistId: number | string) =>
  queryOptions({
    queryKey: [api, 'related', String(artistId)],
    queryFn: async () => listOf<ArtistVideo>(await get(`${api}/common/${segment(artistId)}`)),
  });

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
