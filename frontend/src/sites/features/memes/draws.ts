/**
 * Further pages of the meme home: random draws while enough of a draw is new to the visitor, then one category after the other until no
 * unseen memes are left.
 */

import type { Meme, MemeCategory, MemeDetail } from '../../../shared/contract/sites';
import { asArray, getPage, type ListPage } from '../../api/list';
import { type InfiniteData, type QueryClient, queryOptions } from '../../api/query-client';
import { byTaste, tasteBefore } from '../../taste';
import { CATEGORIES, categoryAt, DRAW, DRAW_AGAIN, isShown, MOST_DRAWN, memesOf, tasteOf } from './api';

/** The least share of new memes in a draw. Below it, further draws would take more and more calls. */
const MIN_NEW_SHARE = 0.2;

/** The memes of a page that are on none of the earlier pages, by the visitor's taste. */
function unseen(memes: Meme[], client: QueryClient): Meme[] {
  const pages = client.getQueryData<InfiniteData<ListPage<Meme>>>([DRAW])?.pages ?? [];
  const seen = new Set(pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const fresh = memes.filter(meme => isShown(meme) && !seen.has(meme.id));
  return byTaste(fresh, tasteOf, JSON.parse(tasteBefore('memes', 'document')));
}

/** All categories, for the memes that no draw has returned. */
const everyCategoryQuery = queryOptions({
  queryKey: [CATEGORIES, 'all'],
  queryFn: async ({ signal }) => {
    const all: MemeCategory[] = [];
    for (let address: string | undefined = CATEGORIES; address; ) {
      const page: { reply: MemeCategory[]; next: string | undefined } = await getPage(address, signal);
      all.push(...page.reply);
      address = page.next;
    }
    return all;
  },
});

/** The address of the next category; after a draw, of the first category. */
async function nextCategory(address: string, client: QueryClient): Promise<string | undefined> {
  const addresses = (await client.ensureQueryData(everyCategoryQuery)).map(({ id }) => categoryAt(id));
  return addresses[addresses.indexOf(address.split('?')[0] ?? '') + 1];
}

/** The page at the address of a draw or a category, without the memes of earlier pages. */
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
  const drawn = asArray<Meme>((await getPage(address, signal)).reply);
  const items = unseen(drawn, client);
  if (drawn.length < MOST_DRAWN) return { items, name: '', next: undefined };
  const goesOn = items.length >= drawn.length * MIN_NEW_SHARE;
  return { items, name: '', next: goesOn ? DRAW_AGAIN : await nextCategory(address, client) };
}
