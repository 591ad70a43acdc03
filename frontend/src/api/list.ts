/** Lists of any length: each call brings one page, and its `Link` header names the next. */
import { request } from './client';
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  STALE,
} from './query-client';
import { takeReply } from './replies';

export type ListPage<T> = { items: T[]; name: string; next: string | undefined };

/** All pages that are loaded, as one list. `name` is what the reply calls the list, where it does. */
export type List<T> = { items: T[]; name: string };

/** One page of a list, and the address of the next page where more items follow (RFC 8288). */
export async function getPage<T>(
  path: string,
  signal: AbortSignal,
): Promise<{ reply: T; next: string | undefined }> {
  const response = await request('GET', path, undefined, signal);
  const next = /<([^>]*)>;\s*rel="?next/.exec(response.headers.get('link') ?? '')?.[1];
  return { reply: (await response.json()) as T, next };
}

/** A reply holds at most this many items. */
const FULL_PAGE = 200;

/** A function of the module, so that react-query joins the pages when there is a new one, and not in each rendering. */
const joined = <T>({ pages }: InfiniteData<ListPage<T>, string>): List<T> => ({
  items: pages.flatMap(({ items }) => items),
  name: pages[0]?.name ?? '',
});

type Source<T> = {
  queryKey: QueryKey;
  /** The address of the first page. */
  path: string;
  /** Loads the page at an address. */
  load: (address: string, signal: AbortSignal, client: QueryClient) => Promise<ListPage<T>>;
  /** What a reply that came with the page is to the list. */
  written?: (reply: unknown) => ListPage<T>;
};

/** A list by its pages. */
export const pagesQuery = <T>({ queryKey, path, load, written }: Source<T>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal, client }) => {
      const reply = written && takeReply(pageParam);
      return reply === undefined ? load(pageParam, signal, client) : (written?.(reply) as ListPage<T>);
    },
    initialPageParam: path,
    getNextPageParam: ({ next }: ListPage<T>) => next,
    initialData: (): InfiniteData<ListPage<T>, string> | undefined => {
      const reply = written && takeReply(path);
      return reply === undefined
        ? undefined
        : { pages: [written?.(reply) as ListPage<T>], pageParams: [path] };
    },
    select: joined as (data: InfiniteData<ListPage<T>, string>) => List<T>,
    // Loading all its pages anew would take many calls, and move what the visitor looks at.
    staleTime: ({ state: { data } }) => (data && data.pages.length > 1 ? STALE.WHILE_OPEN : STALE.CATALOGUE),
    // Comparing all items with the earlier ones would take longer with each page.
    structuralSharing: false,
  });

type Reading<Reply, T> = {
  items: (reply: Reply) => T[];
  name?: (reply: Reply) => string;
  /** Items that are not shown are left out. */
  keep?: (item: T) => boolean;
};

export const everything = <T>(reply: unknown): T[] => (Array.isArray(reply) ? reply : []);

/** A list that the services answer in the order of its ids. */
export function listQuery<Reply, T extends { id: number }>(
  queryKey: QueryKey,
  path: string,
  { items = everything, name = () => '', keep }: Partial<Reading<Reply, T>> = {},
) {
  const pageOf = (reply: Reply, next: string | undefined): ListPage<T> => {
    const all = items(reply);
    return { items: keep ? all.filter(keep) : all, name: name(reply), next };
  };
  return pagesQuery<T>({
    queryKey,
    path,
    load: async (address, signal) => {
      const { reply, next } = await getPage<Reply>(address, signal);
      return pageOf(reply, next);
    },
    written: reply => {
      const all = items(reply as Reply);
      return pageOf(reply as Reply, all.length < FULL_PAGE ? undefined : after(path, all));
    },
  });
}

/** What `Link` says of a reply that came with the page, whose headers are gone. */
function after(path: string, items: { id: number }[]): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=${FULL_PAGE}&after=${items.at(-1)?.id}`;
}
