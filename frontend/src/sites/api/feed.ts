/** All videos of a brand as one list: some of what the visitor likes, then those of the first artist or category, then those of the next. */
import { byTaste, mostLiked, type Taste, tasteBefore } from '../taste';
import type { Address } from './client';
import { getPage, type ListPage, pagesQuery } from './list';
import { type InfiniteData, type QueryClient, STALE } from './query-client';

type Source<Reply, T> = {
  /** The address of the list of artists or categories, one a call: the address of the next one is then in its `Link`, however many there are. */
  groups: Address<{ id: number }[]>;
  /** The address of one's videos. */
  videosOf: (group: number) => Address<Reply>;
  videos: (reply: Reply) => T[];
  /** What taste.ts calls an artist or a category. */
  taste: { prefix: string; keyOf: (video: T) => string };
};

/** The most liked groups that the first page begins with. */
const MOST_LIKED = 3;

/** Groups without videos that one page looks through. */
const MOST_GROUPS = 8;

/** The address of a page is two: that of the videos, and that of the groups which follow. Either may be empty. */
const page = (videos: string | undefined, groups: string | undefined) =>
  videos || groups ? `${videos ?? ''} ${groups ?? ''}` : undefined;

export function feedQuery<Reply, T extends { id: number }>(source: Source<Reply, T>) {
  const { groups, videosOf, videos: read } = source;
  const path = ` ${groups}`;
  const likedVideos = async ({ prefix }: Source<Reply, T>['taste'], taste: Taste, signal: AbortSignal) => {
    const liked = mostLiked(prefix, taste).slice(0, MOST_LIKED);
    const lists = liked.map(async key => {
      try {
        return read((await getPage<Reply>(videosOf(Number(key.slice(prefix.length))), signal)).reply);
      } catch (error) {
        // It may be gone since.
        console.info('Not loaded', key, error);
        return [];
      }
    });
    return (await Promise.all(lists)).flat();
  };
  /** Without those of earlier pages. */
  const fresh = (videos: T[], client: QueryClient) => {
    const pages = client.getQueryData<InfiniteData<ListPage<T>>>([path])?.pages ?? [];
    const ids = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
    return videos.filter(({ id }) => !ids.has(id) && ids.add(id));
  };
  return {
    ...pagesQuery<T>({
      path,
      load: async (address, signal, client): Promise<ListPage<T>> => {
        const taste: Taste = JSON.parse(tasteBefore('feed'));
        const isFirst = address === path;
        const liked = isFirst ? likedVideos(source.taste, taste, signal) : [];
        let [videos, groups] = address.split(' ') as [string | undefined, string | undefined];
        for (let looked = 0; looked < MOST_GROUPS && (videos || groups); looked++) {
          if (!videos) {
            const { reply, next } = await getPage<{ id: number }[]>(groups ?? '', signal);
            groups = next;
            videos = reply[0] && videosOf(reply[0].id);
            if (!videos) continue;
          }
          const { reply, next } = await getPage<Reply>(videos, signal);
          videos = next;
          const items = fresh([...(await liked), ...read(reply)], client);
          if (items.length > 0)
            return { items: byTaste(items, source.taste.keyOf, taste), name: '', next: page(videos, groups) };
        }
        return { items: [], name: '', next: page(videos, groups) };
      },
    }),
    staleTime: STALE.WHILE_OPEN,
  };
}
