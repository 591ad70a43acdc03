/** All videos of a brand as one list: those of the first artist or category, then those of the next. */
import type { Address } from './client';
import { getPage, type ListPage, pagesQuery } from './list';
import { STALE } from './query-client';

type Source<Reply, T> = {
  /** The address of the list of artists or categories, one a call: the address of the next one is then in its `Link`, however many there are. */
  groups: Address<{ id: number }[]>;
  /** The address of one's videos. */
  videosOf: (group: number) => Address<Reply>;
  videos: (reply: Reply) => T[];
};

/** Groups without videos that one page looks through. */
const MOST_GROUPS = 8;

/** The address of a page is two: that of the videos, and that of the groups which follow. Either may be empty. */
const page = (videos: string | undefined, groups: string | undefined) =>
  videos || groups ? `${videos ?? ''} ${groups ?? ''}` : undefined;

export function feedQuery<Reply, T>({ groups, videosOf, videos: read }: Source<Reply, T>) {
  return {
    ...pagesQuery<T>({
      path: ` ${groups}`,
      load: async (address, signal): Promise<ListPage<T>> => {
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
          const items = read(reply);
          if (items.length > 0) return { items, name: '', next: page(videos, groups) };
        }
        return { items: [], name: '', next: page(videos, groups) };
      },
    }),
    staleTime: STALE.WHILE_OPEN,
  };
}
