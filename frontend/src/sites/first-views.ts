/**
 * What the first screen of each address needs: the gateway names the files of the chunks in `Link` headers, and embeds the replies in the page.
 * Made from the page table and its modules; the build writes it to dist/first-views.json, with files instead of chunks.
 */
import type { BrandKind } from './brand';
import { loadQueries, type Route, routes, usesQueries } from './routes';
import { renderFrom, type ServerInput } from './server-input';

export type FirstView = {
  /** The kind of brand; null: every kind. */
  kind: BrandKind | null;
  /** Each `*` is exactly one segment. `*` alone, the last entry, matches every other address. */
  path: string;
  /** The page's name in metrics. */
  page: string;
  chunks: string[];
  /**
   * Addresses of calls. `{1}` and `{2}` stand for the first and second `*` of the address, unchanged; `{service}` for the brand's service and `{q}` for the
   * query of a search, percent-encoded. Without a query the address is left out.
   */
  replies: string[];
  own: string[];
  list: boolean;
  screen: boolean;
  forward: string | undefined;
};

const KINDS: BrandKind[] = ['comedy', 'diski', 'meme', 'tt'];

/** A brand of a kind, as far as pages ask for what they need. */
const brandOf = (kind: BrandKind) => ({ brand: { kind, service: '{service}' } }) as ServerInput;

/** A route with an optional segment is two paths: one without it, and one with it. */
function pathsOf(path: string): string[] {
  if (!path.endsWith('?')) return [path];
  return [path.slice(0, path.lastIndexOf('/')), path.slice(0, -1)];
}

async function viewsOf(kind: BrandKind): Promise<FirstView[]> {
  const table = renderFrom(brandOf(kind), routes);
  // The build's loader of the table leaves the names of chunks beside the modules (scripts/pages-at-once.cjs).
  const chunkOf = (loading: unknown) => (loading as { chunk: string }).chunk;
  const viewsAt = async ({ path, load, isOther }: Route): Promise<FirstView[]> => {
    const loading = load();
    const { page } = await loading;
    const names = path.match(/:\w+/g) ?? [];
    const parameters = Object.fromEntries(names.map((name, place) => [name.slice(1), `{${place + 1}}`]));
    const { name, queries, own, list, screen, forward } = renderFrom(brandOf(kind), () =>
      page({ ...parameters, q: '{q}' }),
    );
    const addresses = (of: typeof queries = []) =>
      of.map(({ queryKey: [address] }) => String(address).replace(/%7B(\w+)%7D/g, '{$1}'));
    return pathsOf(path).map(each => ({
      kind,
      path: each.replace(/:\w+/g, '*'),
      page: name,
      chunks: [...(usesQueries(load) ? [loadQueries()] : []), loading].map(chunkOf),
      replies: addresses(queries),
      own: addresses(own),
      list: list ?? false,
      screen: !isOther && screen !== false,
      forward: isOther ? '/' : forward,
    }));
  };
  return (await Promise.all(table.map(viewsAt))).flat();
}

/** In the order in which the gateway compares addresses. */
export async function firstViews(): Promise<FirstView[]> {
  const all = (await Promise.all(KINDS.map(viewsOf))).flat();
  const sameAs = (view: FirstView) => JSON.stringify({ ...view, kind: null });
  const kinds = new Map<string, number>();
  for (const view of all) kinds.set(sameAs(view), (kinds.get(sameAs(view)) ?? 0) + 1);
  const views = all.flatMap(view => {
    if (kinds.get(sameAs(view)) !== KINDS.length) return [view];
    return view.kind === KINDS[0] ? [{ ...view, kind: null }] : [];
  });
  return [...views].sort((one, other) => Number(one.path === '*') - Number(other.path === '*'));
}
