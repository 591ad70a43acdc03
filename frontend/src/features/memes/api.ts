/** Memes, their categories, and the visitor's likes. */
import { catalogueQuery } from '../../api/catalogue';
import { del, get, post, segment } from '../../api/client';
import { queryOptions, STALE, useMutation, useQuery, useQueryClient } from '../../api/query-client';
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

/** Another selection on each visit, but the same while the tab is open: going back must not shuffle the page. */
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

type Change = { id: number; on: boolean };

export type Likes = { isLiked: (id: number) => boolean; toggle: (meme: Meme) => void };

/** The liked ids of this visitor. A like shows at once; when its call fails, that is only logged and the like is taken back. */
export function useLikes(): Likes {
  const client = useQueryClient();
  const session = useSession();
  const { msisdn: ani } = useVisitor();
  const liked = useQuery({ ...mineQuery, enabled: isOpen(session) }).data?.liked ?? [];

  const show = ({ id, on }: Change) =>
    client.setQueryData(mineQuery.queryKey, mine => {
      const others = (mine?.liked ?? []).filter(each => each !== id);
      return { liked: on ? [...others, id] : others };
    });
  const showCount = ({ id, likes }: MemeLikeState) => {
    const counted = (meme: Meme): Meme => (meme.id === id ? { ...meme, likes } : meme);
    client.setQueryData(randomQuery.queryKey, memes => memes?.map(counted));
    client.setQueryData(everyMemeQuery.queryKey, all =>
      all?.map(each => ({ ...each, meme: counted(each.meme) })),
    );
  };

  const mutationKey = ['memes', 'like'];
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: ({ id, on }: Change) => {
      const now = apiTime();
      return on
        ? post<MemeLikeState>('/api/meme/postlike', {
            like: '1',
            created: now,
            updated: now,
            id,
            ani,
          } satisfies NewMemeLike)
        : del<MemeLikeState>('/api/meme/unlike', { meme_id: id, ani } satisfies OldMemeLike);
    },
    onMutate: async change => {
      // A reply that was requested before this tap does not know of it.
      await client.cancelQueries(mineQuery);
      show(change);
    },
    onSuccess: state => state && showCount(state),
    onError: (error, { id, on }) => {
      console.info('Like not saved', error);
      show({ id, on: !on });
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) client.invalidateQueries(mineQuery);
    },
  });

  const toggle = ({ id }: Meme) => {
    const isSaving = client.isMutating({
      mutationKey,
      predicate: ({ state }) => (state.variables as Change | undefined)?.id === id,
    });
    // Two calls at once for one meme could arrive in either order.
    if (isSaving === 0) mutate({ id, on: !liked.includes(id) });
  };

  return { isLiked: id => liked.includes(id), toggle };
}
