/** What the pages of artists need first. */

import { queryClient } from '../../api/query-client';
import type { Page } from '../../page';
import { serviceOf } from '../../service-name';
import { ME } from '../../session';
import { artistsQuery, artistVideosQuery, relatedQuery, videoQuery } from './api';
import type { ArtistKind } from './artist-kinds';

const artistsOf = (kind: ArtistKind) => artistsQuery(kind, serviceOf(''));

export const homePage = (kind: ArtistKind): Page => ({
  name: `${kind.name}-home`,
  queries: [artistsOf(kind)],
  list: true,
});

export const gridPage = (kind: ArtistKind, artistId: string): Page => ({
  name: `${kind.name}-videos`,
  queries: [artistVideosQuery(kind, artistId), artistsOf(kind)],
  list: true,
});

export const videoPage = (kind: ArtistKind, id: string): Page => ({
  name: `${kind.name}-video`,
  queries: [videoQuery(kind, id)],
  own: [{ queryKey: [ME] }],
  follow: async () => {
    const [video] = await queryClient().fetchQuery(videoQuery(kind, id));
    if (video) await queryClient().prefetchInfiniteQuery(relatedQuery(kind, video.artist_id));
  },
});
