/** All videos of a brand as one list: those of the first artist or category, then those of the next. */
import { getPage, type ListPage, pagesQuery } from './list';
import { type QueryKey, STALE } from './query-client';

type Source<T> = {
  queryKey: QueryKey;
  /** The address of the list of artists or categories, which has a `?` or takes one. */
  groups: string;
  /** The address of one's videos. */
  videosOf: (group: number) => string;
  videos: (reply: unknown) => T[];
};

/** Groups without videos that one page looks through. */
const MOST_GROUPS = 8;

/** The address of a page is two: that of the videos, and that of the groups which follow. Either may be empty. */
const page = (videos: string | undefined, groups: string | undefined) =>
  videos || groups ? `${videos ?? ''} ${groups ?? ''}` : undefined;

export function feedQuery<T>({ queryKey, groups, videosOf, videos: read }: Source<T>) {
  return {
    ...pagesQuery<T>({
      queryKey,
      // One group a call: the address of the next one is then in its `Link`, however many there are.
      path: ` ${groups}${groups.includes('?') ? '&' : '?'}limit=1`,
      load: async (address, signal): Promise<ListPage<T>> => {
        let [videos, groups] = address.split(' ') as [string | undefined, string | undefined];
        for (let looked = 0; looked < MOST_GROUPS && (videos || groups); looked++) {
          if (!videos) {
            const { reply, next } = await getPage<{ id: number }[]>(groups ?? '', signal);
            groups = next;
            videos = reply[0] && videosOf(reply[0].id);
            if (!videos) continue;
          }
          const { reply, next } = await getPage(videos, signal);
          videos = next;
          const items = read(reply);
          if (items.length > 0) return { items, name: '', next: page(videos, groups) };
        }
        return { items: [], name: '', next: page(videos, groups) };
      },
    }),
    staleTime: STALE.WHILE_OPEN,
  };
}
