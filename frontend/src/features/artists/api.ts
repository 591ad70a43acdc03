/** Artists and their videos: comedy and football have the same four calls under two prefixes. */
import { catalogueQuery } from '../../api/catalogue';
import { segment } from '../../api/client';
import { asArray, listQuery } from '../../api/list';
import { queryClient } from '../../api/query-client';
import type { Artist, ArtistVideo } from '../../api/types';
import { apiService } from '../../service-name';
import type { ArtistKind } from './artist-kinds';

export const artistsQuery = ({ api }: ArtistKind, service: string) =>
  listQuery<Artist[], Artist>(
    [api, 'artists', apiService(service)],
    `${api}/fetchArtist?service=${segment(apiService(service))}`,
  );

export const artistVideosQuery = ({ api }: ArtistKind, artistId: string) =>
  listQuery<ArtistVideo[], ArtistVideo>([api, 'videos', artistId], `${api}/fetchVideos/${segment(artistId)}`);

export const videoQuery = ({ api }: ArtistKind, id: string) =>
  catalogueQuery([api, 'video', id], `${api}/fetchsingle/${segment(id)}`, asArray<ArtistVideo>);

export const relatedQuery = ({ api }: ArtistKind, artistId: number | string) =>
  listQuery<ArtistVideo[], ArtistVideo>(
    [api, 'related', String(artistId)],
    `${api}/common/${segment(artistId)}`,
  );

/** What the page of a video shows: the video, and the artist's others below it. */
export async function prefetchVideo(kind: ArtistKind, id: string): Promise<void> {
  const [video] = await queryClient().fetchQuery(videoQuery(kind, id));
  if (video) await queryClient().prefetchInfiniteQuery(relatedQuery(kind, video.artist_id));
}
