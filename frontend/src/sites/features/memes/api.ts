/** Memes, their categories, and the visitor's likes. */

import type { Meme, MemeDetail, MemeLikeState } from '../../../shared/contract/sites';
import { ownQuery } from '../../api/catalogue';
import { address } from '../../api/client';
import { asArray, getPage, type ListPage, listQuery, ownListQuery, pagesQuery } from '../../api/list';
import { sendOrKeep } from '../../api/outbox';
import { type InfiniteData, STALE, useMutation, useQuery, useQueryClient } from '../../api/query-client';
import { FEW, NEXT_FEW, SEARCH_LIMIT, searchQuery } from '../../api/search';
import { brand } from '../../brand';
import { apiTime } from '../../clock';
import { isOpen, useSession } from '../../session';
import { learnTaste } from '../../taste';
import { useVisitor } from '../../visitor';

/** Memes without an https picture are not shown. */
export const isShown = ({ image }: Meme): boolean => image.includes('https');

/** What memory.ts and taste.ts call a meme and its category. */
export const seenAs = ({ id }: Meme): string => `meme-${id}`;
export const tasteOf = ({ category_id }: Meme): string => `category-${category_id}`;

/** Addresses of lists of memes: a like changes its count in each. */
const isMemeList = ({ queryKey: [path] }: { queryKey: readonly unknown[] }): boolean =>
  /^\/api\/meme\/(random|getMemeValue|search|liked)\b/.test(String(path));

export const CATEGORIES = address('GET /api/meme/getMemeCategories');
export const categoriesQuery = listQuery(CATEGORIES);

export const categoryAt = (id: number | string, query = {}) =>
  address('GET /api/meme/getMemeValue/{id}', { path: { id }, query });
export const memesOf = ({ memeData }: MemeDetail) => asArray<Meme>(memeData);

export const categoryQuery = (id: string) =>
  listQuery(categoryAt(id), {
    items: memesOf,
    name: ({ categoryName }) => categoryName,
    lang: ({ categoryName_lang }) => categoryName_lang,
    filter: isShown,
  });

/** A category from one of its memes on. */
export const categoryFromQuery = (category: string, id: number) =>
  listQuery(categoryAt(category, { limit: BESIDE, after: id - 1 }), { items: memesOf, filter: isShown });
/** The length of the first page: the visitor of a link rarely swipes further. */
const BESIDE = 20;

export const foundQuery = (q: string) =>
  searchQuery<Meme>(
    address('GET /api/meme/search/{service}', {
      path: { service: brand().service },
      query: { q, limit: SEARCH_LIMIT },
    }),
    q,
  );

const orderedQuery = (order: 'newest' | 'most_liked', limit: number) =>
  searchQuery<Meme>(
    address('GET /api/meme/search/{service}', {
      path: { service: brand().service },
      query: { order, limit },
    }),
    '',
  );
export const newestQuery = () => orderedQuery('newest', NEXT_FEW);
export const mostLikedQuery = () => orderedQuery('most_liked', FEW);

export const DRAW = address('GET /api/meme/random');
/** The number of memes in the first reply. */
const DRAWN = 30;
/** The most memes in a further draw. */
export const MOST_DRAWN = 100;
export const DRAW_AGAIN = address('GET /api/meme/random', { query: { limit: MOST_DRAWN } });

const firstDraw = (reply: unknown): ListPage<Meme> => {
  const drawn = asArray<Meme>(reply);
  return { items: drawn.filter(isShown), name: '', next: drawn.length < DRAWN ? undefined : DRAW_AGAIN };
};

/** `first`: how many memes the first draw has. Those of further ones are in order already. */
function withFirst({ pages }: InfiniteData<ListPage<Meme>, string>) {
  return { items: pages.flatMap(({ items }) => items), name: '', first: pages[0]?.items.length ?? 0 };
}

/**
 * Random memes: a new selection on each visit, but the same while the tab is open, so that going back does not reorder the page. Further
 * pages hold memes that the visitor has not seen yet, until none are left (draws.ts).
 */
export const randomQuery = {
  ...pagesQuery<Meme>({
    path: DRAW,
    embedded: firstDraw,
    load: async (address, signal, client) =>
      address === DRAW
        ? firstDraw((await getPage(address, signal)).reply)
        : (await import(/* webpackChunkName: "draws" */ './draws')).furtherMemes(address, signal, client),
  }),
  select: withFirst,
  staleTime: STALE.WHILE_OPEN,
};

export const likedQuery = ownListQuery(address('GET /api/meme/liked'));

export const mineQuery = ownQuery(address('GET /api/meme/mine'));

type Change = { id: number; on: boolean };

/** Whether the visitor likes a meme. A like is shown optimistically; if its call fails, the failure is logged and the like is undone. */
export function useLike(meme: Meme): { liked: boolean; toggle: () => void } {
  const client = useQueryClient();
  const session = useSession();
  const { msisdn: ani } = useVisitor();
  const liked =
    useQuery({
      ...mineQuery,
      enabled: isOpen(session),
      select: mine => mine.liked.includes(meme.id),
    }).data ?? false;

  const show = ({ id, on }: Change) =>
    client.setQueryData(mineQuery.queryKey, mine => {
      const others = (mine?.liked ?? []).filter(each => each !== id);
      return { liked: on ? [...others, id] : others };
    });
  const showCount = ({ id, likes }: MemeLikeState) => {
    const counted = (meme: Meme): Meme => (meme.id === id ? { ...meme, likes } : meme);
    client.setQueriesData<InfiniteData<ListPage<Meme>>>(
      { predicate: isMemeList },
      list =>
        list && { ...list, pages: list.pages.map(page => ({ ...page, items: page.items.map(counted) })) },
    );
  };

  const mutationKey = ['memes', 'like'];
  const { mutate } = useMutation({
    mutationKey,
    // One after the other: two concurrent calls for one meme could arrive in either order.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ id, on }: Change) => {
      const now = apiTime();
      const about = `like ${id}`;
      return on
        ? sendOrKeep(about, 'POST /api/meme/postlike', { like: '1', created: now, updated: now, id, ani })
        : sendOrKeep(about, 'DELETE /api/meme/unlike', { meme_id: id, ani });
    },
    onMutate: async change => {
      // A reply to an earlier request does not contain this like.
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

  const toggle = () => {
    learnTaste(tasteOf(meme), liked ? 'unliked' : 'liked');
    mutate({ id: meme.id, on: !liked });
  };

  return { liked, toggle };
}
