/** Memes, their categories, and the visitor's likes. */
import { useRef } from 'react';
import { catalogueQuery } from '../../api/catalogue';
import { del, get, post, segment } from '../../api/client';
import { queryClient, queryOptions, STALE, useQuery } from '../../api/query-client';
import type {
  Meme,
  MemeCategory,
  MemeDetail,
  MemeLikeState,
  MyMemes,
  NewMemeLike,
  OldMemeLike,
} from '../../api/types';
import { apiTime } from '../../clock';
import { isOpen, useSession } from '../../session';
import { useVisitor } from '../../visitor';

/** Only pictures behind https are shown. */
const showable = (memes: Meme[] | undefined): Meme[] =>
  Array.isArray(memes) ? memes.filter(meme => meme.image.includes('https')) : [];

export const categoriesQuery = catalogueQuery<MemeCategory[]>(
  ['memes', 'categories'],
  '/api/meme/getMemeCategories',
);

/** Drawn anew with each visit, but the same while the tab is open: going back must not shuffle the page. */
export const randomQuery = {
  ...catalogueQuery<Meme[]>(['memes', 'random'], '/api/meme/random', showable),
  staleTime: STALE.WHILE_OPEN,
};

export const categoryQuery = (id: string) =>
  catalogueQuery(
    ['memes', 'category', id],
    `/api/meme/getMemeValue/${segment(id)}`,
    ({ memeData, categoryName }: MemeDetail) => ({ categoryName, memes: showable(memeData) }),
  );

/** More categories than this are not looked through: each costs a call. */
const SEARCHED = 40;

/** Every category's memes, for the search. */
export const everyMemeQuery = queryOptions({
  queryKey: ['memes', 'all'],
  queryFn: async ({ client }) => {
    const categories = await client.ensureQueryData(categoriesQuery);
    const shelves = await Promise.all(
      categories.slice(0, SEARCHED).map(({ id }) => client.ensureQueryData(categoryQuery(String(id)))),
    );
    const found = new Map<number, { meme: Meme; category: string }>();
    for (const { memes, categoryName } of shelves)
      for (const meme of memes) found.set(meme.id, { meme, category: categoryName });
    return [...found.values()];
  },
});

const mineQuery = queryOptions({
  queryKey: ['memes', 'mine'],
  queryFn: () => get<MyMemes>('/api/meme/mine'),
  staleTime: STALE.MINUTE,
});

export type Likes = { isLiked: (id: number) => boolean; toggle: (meme: Meme) => void };

/** The liked ids of this visitor. A failed call is only logged and changes nothing. */
export function useLikes(): Likes {
  const client = queryClient();
  const session = useSession();
  const { msisdn } = useVisitor();
  const liked = useQuery({ ...mineQuery, enabled: isOpen(session) }).data?.liked ?? [];

  const underWay = useRef(new Set<number>());

  const toggle = async ({ id }: Meme) => {
    // A second tap while the first is under way would undo what the server has not yet done.
    if (underWay.current.has(id)) return;
    underWay.current.add(id);
    const unlike = liked.includes(id);
    try {
      const now = apiTime();
      const state = unlike
        ? await del<MemeLikeState>('/api/meme/unlike', { meme_id: id, ani: msisdn } satisfies OldMemeLike)
        : await post<MemeLikeState>('/api/meme/postlike', {
            like: '1',
            created: now,
            updated: now,
            id,
            ani: msisdn,
          } satisfies NewMemeLike);
      client.setQueryData(mineQuery.queryKey, mine => {
        const others = (mine?.liked ?? []).filter(each => each !== id);
        return { liked: unlike ? others : [...others, id] };
      });
      // An answer that is under way was asked for before this, and must not take it back.
      // As long as nobody knew who is there none was asked for, and this one tap is not all there is.
      if (!isOpen(session) || client.isFetching(mineQuery)) client.invalidateQueries(mineQuery);
      const counted = (meme: Meme): Meme =>
        meme.id === id ? { ...meme, likes: state?.likes ?? meme.likes } : meme;
      client.setQueryData(randomQuery.queryKey, memes => memes?.map(counted));
      client.setQueryData(everyMemeQuery.queryKey, all =>
        all?.map(each => ({ ...each, meme: counted(each.meme) })),
      );
    } catch (error) {
      console.info('Like not saved', error);
    } finally {
      underWay.current.delete(id);
    }
  };

  return { isLiked: id => liked.includes(id), toggle };
}
