/**
 * How the home of memes goes on: drawn at random while many of a draw are new to the visitor, then category by category until there are
 * none left.
 */
import { everything, getPage, type ListPage } from '../../api/list';
import { type InfiniteData, type QueryClient, queryOptions } from '../../api/query-client';
import type { Meme, MemeCategory, MemeDetail } from '../../api/types';
import { CATEGORIES, categoryPath, DRAW, isShown, memesOf, RANDOM } from './api';

/** What a further call draws at most. */
const LIMIT = 100;
const DRAW_AGAIN = `${DRAW}?limit=${LIMIT}`;
/** Where fewer than a fifth of a draw are new, drawing on would take ever more calls. */
const NEW_ENOUGH = 0.2;

/** The memes of a page that the visitor has not seen on the earlier ones. */
function unseen(memes: Meme[], client: QueryClient): Meme[] {
  const pages = client.getQueryData<InfiniteData<ListPage<Meme>>>(RANDOM)?.pages ?? [];
  const seen = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  return memes.filter(meme => isShown(meme) && !seen.has(meme.id));
}

/** Every category, for the memes that no draw has brought. */
const everyCategoryQuery = queryOptions({
  queryKey: ['memes', 'every-category'],
  queryFn: async ({ signal }) => {
    const all: MemeCategory[] = [];
    for (let address: string | undefined = CATEGORIES; address; ) {
      const { reply, next }: { reply: MemeCategory[]; next: string | undefined } = await getPage(
        address,
        signal,
      );
      all.push(...reply);
      address = next;
    }
    return all;
  },
});

/** The address of the category after the one at `address`; of the first one after a draw. */
async function nextCategory(address: string, client: QueryClient): Promise<string | undefined> {
  const addresses = (await client.ensureQueryData(everyCategoryQuery)).map(({ id }) => categoryPath(id));
  return addresses[addresses.indexOf(address.split('?')[0] ?? '') + 1];
}

/** The page at an address of a draw or a category, without what the earlier pages have. */
export async function furtherMemes(
  address: string,
  signal: AbortSignal,
  client: QueryClient,
): Promise<ListPage<Meme>> {
  if (!address.startsWith(DRAW)) {
    const { reply, next } = await getPage<MemeDetail>(address, signal);
    const items = unseen(memesOf(reply), client);
    return { items, name: '', next: next ?? (await nextCategory(address, client)) };
  }
  const drawn = everything<Meme>((await getPage(address, signal)).reply);
  const items = unseen(drawn, client);
  if (drawn.length < LIMIT) return { items, name: '', next: undefined };
  const goesOn = items.length >= drawn.length * NEW_ENOUGH;
  return { items, name: '', next: goesOn ? DRAW_AGAIN : await nextCategory(address, client) };
}
