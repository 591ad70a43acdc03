/** Paged lists: each call returns one page, and its `Link` header holds the address of the next. */
import { type Address, request } from './client';
import { ownReply, takeEmbeddedReply } from './embedded-replies';
import { type InfiniteData, infiniteQueryOptions, type QueryClient, STALE } from './query-client';

export type ListPage<T> = { items: T[]; name: string; lang?: string | undefined; next: string | undefined };

/** All loaded pages as one list. `name` is the list's name in the reply, if there is one, and `lang` its language if it is a translation. */
export type List<T> = { items: T[]; name: string; lang?: string | undefined };

/** Fetches one page of a list, and the address of the next page from the `Link` header (RFC 8288). */
export async function getPage<T>(
  path: Address<T>,
  signal: AbortSignal,
): Promise<{ reply: T; next: string | undefined }> {
  const response = await request('GET', path, undefined, signal);
  const next = /<([^>]*)>;\s*rel="?next/.exec(response.headers.get('link') ?? '')?.[1];
  return { reply: (await response.json()) as T, next };
}

/** The most items in a reply. */
const PAGE_SIZE = 200;

/** Defined at module level: react-query calls a `select` function again in each rendering if it is a new function. */
const joinPages = <T>({ pages }: InfiniteData<ListPage<T>, string>): List<T> => ({
  items: pages.flatMap(({ items }) => items),
  name: pages[0]?.name ?? '',
  lang: pages[0]?.lang,
});

type Source<T> = {
  /** The address of the first page, which is the query's key. */
  path: string;
  /** Loads the page at an address. */
  load: (address: string, signal: AbortSignal, client: QueryClient) => Promise<ListPage<T>>;
  /** Converts an embedded reply to the first page. */
  embedded?: (reply: unknown) => ListPage<T>;
};

/** An infinite query over the pages of a list. */
export const pagesQuery = <T>({ path, load, embedded }: Source<T>) =>
  infiniteQueryOptions({
    queryKey: [path],
    queryFn: ({ pageParam, signal, client }) => {
      const reply = embedded && takeEmbeddedReply(pageParam);
      return reply === undefined ? load(pageParam, signal, client) : (embedded?.(reply) as ListPage<T>);
    },
    initialPageParam: path,
    getNextPageParam: ({ next }: ListPage<T>) => next,
    initialData: (): InfiniteData<ListPage<T>, string> | undefined => {
      const reply = embedded && takeEmbeddedReply(path);
      return reply === undefined
        ? undefined
        : { pages: [embedded?.(reply) as ListPage<T>], pageParams: [path] };
    },
    select: joinPages as (data: InfiniteData<ListPage<T>, string>) => List<T>,
    // Refetching every page takes many calls, and shifts the items on the screen.
    staleTime: ({ state: { data } }) => (data && data.pages.length > 1 ? STALE.WHILE_OPEN : STALE.CATALOGUE),
    // Comparing all items with the previous ones takes longer with each page.
    structuralSharing: false,
  });

type ReplyReader<Reply, T> = {
  items: (reply: Reply) => T[];
  name?: (reply: Reply) => string;
  lang?: (reply: Reply) => string | undefined;
  /** Items for which it returns false are left out. */
  filter?: (item: T) => boolean;
  /** The address of the page after an embedded reply, which has no `Link` header. */
  nextOfEmbedded?: (path: string, items: T[]) => string | undefined;
};

/** Returns an empty list if the reply is not an array. */
export const asArray = <T>(reply: unknown): T[] => (Array.isArray(reply) ? reply : []);

/** A list that a service returns in the order of its ids. */
export function listQuery<
  Reply,
  T extends { id: number } = Reply extends (infer Item extends { id: number })[] ? Item : never,
>(
  path: Address<Reply>,
  {
    items = asArray,
    name = () => '',
    lang = () => undefined,
    filter,
    nextOfEmbedded = afterLastId,
  }: Partial<ReplyReader<Reply, T>> = {},
) {
  const pageOf = (reply: Reply, next: string | undefined): ListPage<T> => {
    const all = items(reply);
    return { items: filter ? all.filter(filter) : all, name: name(reply), lang: lang(reply), next };
  };
  return pagesQuery<T>({
    path,
    load: async (address, signal) => {
      const { reply, next } = await getPage<Reply>(address, signal);
      return pageOf(reply, next);
    },
    embedded: reply => pageOf(reply as Reply, nextOfEmbedded(path, items(reply as Reply))),
  });
}

/** For lists in the order of their ids. */
function afterLastId(path: string, items: { id: number }[]): string | undefined {
  if (items.length < PAGE_SIZE) return undefined;
  return `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_SIZE}&after=${items[items.length - 1]?.id}`;
}

type Embedded<T> = () => InfiniteData<ListPage<T>, string> | undefined;
const embeddedLists = new Map<string, Embedded<never>>();

/** The same function each time: react-query calls a new one again in each rendering, and its result would be new each time. */
function embeddedList<T>(path: Address<T[]>): Embedded<T> {
  const embedded = () => {
    const items = ownReply(path);
    return items ? { pages: [{ items, name: '', next: undefined }], pageParams: [path] } : undefined;
  };
  const known = (embeddedLists.get(path) as Embedded<T> | undefined) ?? embedded;
  embeddedLists.set(path, known as Embedded<never>);
  return known;
}

/** A list of the visitor's session. */
export const ownListQuery = <T extends { id: number }>(path: Address<T[]>) => ({
  ...listQuery<T[], T>(path),
  staleTime: STALE.MINUTE,
  placeholderData: embeddedList(path),
});
