/**
 * Videos of lists that this tab has loaded. The page of one of them shows what its list has while its own reply is on its way: on a slow line
 * that is most of a second.
 */
import { queryClient } from './query-client';

/** What every list has of a video; those of an artist or a category have all of it. */
type Card = { id: number; imgurl: string; video_name: string; name: string; name_lang?: string };

type Item = Partial<Card> & { videoid?: number; vurl?: string; videos?: Item[] };

const videosIn = (data: unknown): Item[] => {
  const { pages } = (data ?? {}) as { pages?: { items: Item[] }[] };
  const items = pages ? pages.flatMap(page => page.items) : Array.isArray(data) ? (data as Item[]) : [];
  return items.flatMap(item => item.videos ?? item);
};

const find = (is: (item: Item) => boolean): Item | undefined => {
  for (const [, data] of queryClient().getQueriesData({})) {
    const found = videosIn(data).find(is);
    if (found) return found;
  }
  return undefined;
};

/** The whole video, if a list had all of it. */
export const seenVideo = <Video extends { videoid: number; vurl: string }>(id: string): Video | undefined =>
  find(({ videoid, vurl }) => vurl !== undefined && String(videoid) === id) as Video | undefined;

/** Its name and picture. Rows of a home have no more of it. */
export const seenCard = (id: string): Card | undefined =>
  find(item => item.imgurl !== undefined && item.video_name !== undefined && String(item.id) === id) as
    | Card
    | undefined;
