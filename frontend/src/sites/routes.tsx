/**
 * The page table: one line per address with the module of its page, which is loaded on demand. The module says what the page needs (page.ts);
 * first-views.ts tells the gateway.
 */
import { type ComponentType, lazy, type ReactElement, useEffect } from 'react';
import { matchPath } from 'react-router';
import { loadToasts } from '../shared/ui/notify';
import { type BrandKind, brand } from './brand';
import type { PageOf } from './page';
import { paths } from './paths';
import { setPreloader } from './preload';
import { useVisitor } from './visitor';

export type Load = () => Promise<{ default: ComponentType; page: PageOf }>;

export type Route = {
  path: string;
  load: Load;
  element: ReactElement;
  /** The home of another kind of brand: it leads to this brand's. */
  isOther?: true;
};

export const loadQueries = () => import(/* webpackChunkName: "queries" */ './api/QueryProvider');
const QueryProvider = lazy(loadQueries);

const homes: Record<BrandKind, Load> = {
  comedy: () => import(/* webpackChunkName: "home-comedy" */ './features/artists/ComedyHomePage'),
  diski: () => import(/* webpackChunkName: "home-diski" */ './features/artists/DiskiHomePage'),
  meme: () => import(/* webpackChunkName: "home-meme" */ './features/memes/MemeHomePage'),
  tt: () => import(/* webpackChunkName: "home-tt" */ './features/tt/TtHomePage'),
};
/** Each kind's home for active subscribers. */
const HOMES: [path: string, kind: BrandKind][] = [
  ['/redirect', 'comedy'],
  ['/doRedirect', 'diski'],
  ['/redirectTo', 'meme'],
  ['/ttredirect', 'tt'],
];

const artistSearch: Load = () =>
  import(/* webpackChunkName: "search-artists" */ './features/artists/ArtistSearchPage');
const searches: Record<BrandKind, Load> = {
  comedy: artistSearch,
  diski: artistSearch,
  meme: () => import(/* webpackChunkName: "search-memes" */ './features/memes/MemeSearchPage'),
  tt: () => import(/* webpackChunkName: "search-tt" */ './features/tt/TtSearchPage'),
};

const artistMine: Load = () =>
  import(/* webpackChunkName: "mine-artists" */ './features/artists/ArtistMinePage');
const mines: Record<BrandKind, Load> = {
  comedy: artistMine,
  diski: artistMine,
  meme: () => import(/* webpackChunkName: "mine-memes" */ './features/memes/MemeMinePage'),
  tt: () => import(/* webpackChunkName: "mine-tt" */ './features/tt/TtMinePage'),
};

const artistFeed: Load = () => import(/* webpackChunkName: "feed" */ './features/artists/ArtistFeedPage');
const ttFeed: Load = () => import(/* webpackChunkName: "tt-feed" */ './features/tt/TtFeedPage');
const feeds: Partial<Record<BrandKind, Load>> = {
  comedy: artistFeed,
  diski: artistFeed,
  tt: ttFeed,
};

const artists: Load = () => import(/* webpackChunkName: "artists" */ './features/artists/ArtistsPage');
const watchlist: Load = () => import(/* webpackChunkName: "tt-watchlist" */ './features/tt/TtWatchlistPage');
const join: Load = () => import(/* webpackChunkName: "join" */ './features/join/JoinPage');
const redirecting: Load = () =>
  import(/* webpackChunkName: "redirecting" */ './features/join/RedirectingPage');
const allVideos: Load = () => import(/* webpackChunkName: "artist" */ './features/artists/AllVideosPage');
const comedyVideo: Load = () => import(/* webpackChunkName: "artist" */ './features/artists/ComedyVideoPage');
const artistVideos: Load = () =>
  import(/* webpackChunkName: "artist" */ './features/artists/ArtistVideosPage');
const diskiVideo: Load = () => import(/* webpackChunkName: "artist" */ './features/artists/DiskiVideoPage');
const memeCategory: Load = () =>
  import(/* webpackChunkName: "meme-category" */ './features/memes/MemeCategoryPage');
const ttVideo: Load = () => import(/* webpackChunkName: "tt-video" */ './features/tt/TtVideoPage');
const ttCategory: Load = () => import(/* webpackChunkName: "tt-category" */ './features/tt/TtCategoryPage');
const terms: Load = () => import(/* webpackChunkName: "legal" */ './features/legal/TermsPage');
const leave: Load = () => import(/* webpackChunkName: "leave" */ './features/leave/SubscriptionPage');
const notFound: Load = () => import(/* webpackChunkName: "not-found" */ './features/not-found/NotFoundPage');

/** Pages that fetch nothing before the visitor acts: they load without react-query. */
const withoutQueries = [join, terms, notFound];
export const usesQueries = (load: Load): boolean => !withoutQueries.includes(load);

/** The addresses of every brand. */
const SHARED: [path: string, load: Load][] = [
  ['/join', join],
  ['/login', join],
  ['/diskilogin', join],
  ['/memelogin', join],
  ['/ttlogin', join],
  ['/racedaylogin', join],
  // The link to the network's page, where it could not lead there.
  ['/api/subscribe/opt-in', join],
  ['/DoiRedirect', redirecting],
  ['/allvideos/:artistId/:service/:flag?', allVideos],
  ['/video/:id/:service/:mid', comedyVideo],
  ['/artistvideos/:id/:service/:count', artistVideos],
  ['/diskisingle/:id/:service/:mid', diskiVideo],
  ['/memeCategory/:count/:id/:service', memeCategory],
  ['/ttsingle/:id/:service/:ani?', ttVideo],
  ['/ttcategory/:cat/:service', ttCategory],
  ['/terms/en?', terms],
  ['/ttbhaTerms/en?', terms],
  ['/raceday-terms/en?', terms],
  ['/subscription', leave],
  ['*', notFound],
];

const elements = new Map<Load, ReactElement>();

/** Created once: while a page loads, React renders again and needs the same element. */
function elementOf(load: Load): ReactElement {
  const known = elements.get(load);
  if (known) return known;
  const Screen = lazy(load);
  const element = usesQueries(load) ? (
    <QueryProvider>
      <Screen />
    </QueryProvider>
  ) : (
    <Screen />
  );
  elements.set(load, element);
  return element;
}

/** Redirects the home address of another kind of brand to this brand's home. It renders nothing, because its query names another service. */
function OwnHome() {
  const { msisdn, active } = useVisitor();
  // Loads a document, which ends the page's own refresh.
  useEffect(() => window.location.replace(active ? paths.home(msisdn) : paths.root()), [msisdn, active]);
  return null;
}
const ownHome = (
  <QueryProvider>
    <OwnHome />
  </QueryProvider>
);

/** The table of this brand. */
export function routes(): Route[] {
  const { kind } = brand();
  const feed = feeds[kind];
  const at = (path: string, load: Load): Route => ({ path, load, element: elementOf(load) });
  return [
    at('/', homes[kind]),
    ...HOMES.map(
      ([path, of]): Route =>
        of === kind ? at(path, homes[kind]) : { path, load: homes[kind], element: ownHome, isOther: true },
    ),
    at('/search', searches[kind]),
    at('/mine', mines[kind]),
    ...(feed ? [at('/feed', feed)] : []),
    ...(kind === 'comedy' || kind === 'diski' ? [at('/artists', artists)] : []),
    ...(kind === 'tt' ? [at('/watchlist', watchlist)] : []),
    ...SHARED.map(([path, load]) => at(path, load)),
  ];
}

/** Loads the code of an address; returns what fetches its data. */
export async function loadPage(path: string): Promise<(() => unknown) | undefined> {
  for (const { path: pattern, load } of routes()) {
    const match = matchPath(pattern, path);
    if (!match) continue;
    const [{ page }, queries] = await Promise.all([load(), usesQueries(load) ? loadQueries() : undefined]);
    return () => queries?.prefetch(page(match.params));
  }
  return undefined;
}

setPreloader(path => loadPage(path).then(prefetch => prefetch?.()));

const nearby: Record<BrandKind, Load[]> = {
  comedy: [allVideos, artistSearch, artistFeed],
  diski: [allVideos, artistSearch, artistFeed],
  meme: [memeCategory, searches.meme],
  tt: [ttCategory, ttVideo, searches.tt, ttFeed],
};

/** Loads the pages one tap away, a few KB in total. Leaving, the terms and messages are included, because they must open offline. */
export const loadNearbyPages = (): Promise<unknown>[] => [
  ...[homes[brand().kind], ...nearby[brand().kind], leave, terms].map(load => load()),
  loadQueries(),
  loadToasts(),
  import(/* webpackChunkName: "list-window" */ './ui/list-window'),
];
