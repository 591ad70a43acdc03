/** The route table: one line per address, each page loaded on demand. first-views.js lists what each address loads first. */
import { type ComponentProps, type ComponentType, lazy, type ReactElement } from 'react';
import { matchPath, Navigate, type Params } from 'react-router';
import { type BrandKind, brand } from './brand';
import { paths } from './paths';
import { setPreloader } from './preload';
import { useVisitor } from './visitor';

type Page = {
  default: ComponentType;
  /** Fetches the data of the page's first rendering, by the parameters of its address. */
  prefetch?: (parameters: Params) => unknown;
};

const loaders = new Map<ReactElement, () => Promise<Page>>();

const loadQueries = () => import(/* webpackChunkName: "queries" */ './api/QueryProvider');
export const QueryProvider = lazy(loadQueries);

const page = (load: () => Promise<Page>): ReactElement => {
  const Lazy = lazy(load);
  const element = (
    <QueryProvider>
      <Lazy />
    </QueryProvider>
  );
  loaders.set(element, () => Promise.all([load(), loadQueries()]).then(([loaded]) => loaded));
  return element;
};

/** A page that fetches nothing before the visitor acts: it loads without react-query. */
const pageWithoutQueries = (load: () => Promise<Page>): ReactElement => {
  const Lazy = lazy(load);
  const element = <Lazy />;
  loaders.set(element, load);
  return element;
};

/** Loads the code of an address; returns what fetches its data. */
export async function loadPage(path: string): Promise<(() => unknown) | undefined> {
  for (const [pattern, element] of routes()) {
    const match = matchPath(pattern, path);
    if (!match) continue;
    const loaded = await loaders.get(element)?.();
    return () => loaded?.prefetch?.(match.params);
  }
  return undefined;
}

setPreloader(path => {
  loadPage(path)
    .then(prefetch => prefetch?.())
    .catch(error => console.info('Preload failed', error));
});

const ComedyHome = page(
  () => import(/* webpackChunkName: "home-comedy" */ './features/artists/ComedyHomePage'),
);
const DiskiHome = page(() => import(/* webpackChunkName: "home-diski" */ './features/artists/DiskiHomePage'));
const MemeHome = page(() => import(/* webpackChunkName: "home-meme" */ './features/memes/MemeHomePage'));
const TtHome = page(() => import(/* webpackChunkName: "home-tt" */ './features/tt/TtHomePage'));
const homes: Record<BrandKind, ReactElement> = {
  comedy: ComedyHome,
  diski: DiskiHome,
  meme: MemeHome,
  tt: TtHome,
};

const ArtistSearch = page(
  () => import(/* webpackChunkName: "search-artists" */ './features/artists/ArtistSearchPage'),
);
const searches: Record<BrandKind, ReactElement> = {
  comedy: ArtistSearch,
  diski: ArtistSearch,
  meme: page(() => import(/* webpackChunkName: "search-memes" */ './features/memes/MemeSearchPage')),
  tt: page(() => import(/* webpackChunkName: "search-tt" */ './features/tt/TtSearchPage')),
};

const loadJoin = () => import(/* webpackChunkName: "join" */ './features/join/JoinPage');
const Join = lazy(loadJoin);
const join = (form: ComponentProps<typeof Join>['form']): ReactElement => {
  const element = <Join key="join" form={form} />;
  loaders.set(element, loadJoin as () => Promise<never>);
  return element;
};
const welcome = join('welcome');
const meme = join('meme');
const vod = join('vod');
const joinForms: Record<BrandKind, ReactElement> = { comedy: welcome, diski: welcome, meme, tt: vod };

const artistFeed = page(() => import(/* webpackChunkName: "feed" */ './features/artists/ArtistFeedPage'));
const feeds: Partial<Record<BrandKind, ReactElement>> = {
  comedy: artistFeed,
  diski: artistFeed,
  tt: page(() => import(/* webpackChunkName: "tt-feed" */ './features/tt/TtFeedPage')),
};

const watchlist = page(() => import(/* webpackChunkName: "tt-watchlist" */ './features/tt/TtWatchlistPage'));

type RouteEntry = [path: string, element: ReactElement];

/** The routes of every brand. Elements are created once: while a page loads, React renders again and needs the same element. */
const sharedRoutes: RouteEntry[] = [
  ['/login', welcome],
  ['/diskilogin', welcome],
  ['/memelogin', meme],
  ['/ttlogin', vod],
  ['/racedaylogin', vod],
  [
    '/DoiRedirect',
    page(() => import(/* webpackChunkName: "redirecting" */ './features/join/RedirectingPage')),
  ],

  [
    '/allvideos/:artistId/:service/:flag?',
    page(() => import(/* webpackChunkName: "artist" */ './features/artists/AllVideosPage')),
  ],
  [
    '/video/:id/:service/:mid',
    page(() => import(/* webpackChunkName: "artist" */ './features/artists/ComedyVideoPage')),
  ],
  [
    '/artistvideos/:id/:service/:count',
    page(() => import(/* webpackChunkName: "artist" */ './features/artists/ArtistVideosPage')),
  ],
  [
    '/diskisingle/:id/:service/:mid',
    page(() => import(/* webpackChunkName: "artist" */ './features/artists/DiskiVideoPage')),
  ],

  [
    '/memeCategory/:count/:id/:service',
    page(() => import(/* webpackChunkName: "meme-category" */ './features/memes/MemeCategoryPage')),
  ],

  [
    '/ttsingle/:id/:service/:ani?',
    page(() => import(/* webpackChunkName: "tt-video" */ './features/tt/TtVideoPage')),
  ],
  [
    '/ttcategory/:cat/:service',
    page(() => import(/* webpackChunkName: "tt-category" */ './features/tt/TtCategoryPage')),
  ],

  [
    '/terms/en?',
    pageWithoutQueries(() => import(/* webpackChunkName: "legal" */ './features/legal/TermsPage')),
  ],
  [
    '/ttbhaTerms/en?',
    pageWithoutQueries(() => import(/* webpackChunkName: "legal" */ './features/legal/TtTermsPage')),
  ],
  [
    '/raceday-terms/en?',
    pageWithoutQueries(() => import(/* webpackChunkName: "legal" */ './features/legal/RacedayTermsPage')),
  ],
  ['/subscription', page(() => import(/* webpackChunkName: "leave" */ './features/leave/SubscriptionPage'))],
  [
    '*',
    pageWithoutQueries(() => import(/* webpackChunkName: "not-found" */ './features/not-found/NotFoundPage')),
  ],
];

/** Each kind's home for active subscribers. */
const HOMES: [path: string, kind: BrandKind][] = [
  ['/redirect', 'comedy'],
  ['/doRedirect', 'diski'],
  ['/redirectTo', 'meme'],
  ['/ttredirect', 'tt'],
];

/** Redirects the home address of another kind of brand to this brand's home. It renders nothing, because its query names another service. */
function OwnHome() {
  const { msisdn, active } = useVisitor();
  return <Navigate to={active ? paths.home(msisdn) : paths.root()} replace />;
}
const ownHome = (
  <QueryProvider>
    <OwnHome />
  </QueryProvider>
);

export const routes = (): RouteEntry[] => [
  ['/', homes[brand().kind]],
  ['/search', searches[brand().kind]],
  ['/join', joinForms[brand().kind]],
  // The link to the network's page, where it could not lead there.
  ['/api/subscribe/opt-in', joinForms[brand().kind]],
  ...(feeds[brand().kind] ? [['/feed', feeds[brand().kind]] as RouteEntry] : []),
  ...(brand().kind === 'tt' ? [['/watchlist', watchlist] satisfies RouteEntry] : []),
  ...HOMES.map(([path, kind]): RouteEntry => [path, kind === brand().kind ? homes[kind] : ownHome]),
  ...sharedRoutes,
];

const loadArtist = () => import(/* webpackChunkName: "artist" */ './features/artists/AllVideosPage');
const loadArtistSearch = () =>
  import(/* webpackChunkName: "search-artists" */ './features/artists/ArtistSearchPage');
const nearby: Record<BrandKind, (() => Promise<unknown>)[]> = {
  comedy: [loadArtist, loadArtistSearch],
  diski: [loadArtist, loadArtistSearch],
  meme: [
    () => import(/* webpackChunkName: "meme-category" */ './features/memes/MemeCategoryPage'),
    () => import(/* webpackChunkName: "search-memes" */ './features/memes/MemeSearchPage'),
  ],
  tt: [
    () => import(/* webpackChunkName: "tt-category" */ './features/tt/TtCategoryPage'),
    () => import(/* webpackChunkName: "tt-video" */ './features/tt/TtVideoPage'),
    () => import(/* webpackChunkName: "search-tt" */ './features/tt/TtSearchPage'),
  ],
};

/** Loads the pages one tap away, a few KB in total. Leaving and the terms are included, because they must open offline. */
export const loadNearbyPages = (): Promise<unknown>[] => [
  ...nearby[brand().kind].map(load => load()),
  loadQueries(),
  import(/* webpackChunkName: "list-window" */ './ui/list-window'),
  import(/* webpackChunkName: "leave" */ './features/leave/SubscriptionPage'),
  import(/* webpackChunkName: "legal" */ './features/legal/TermsPage'),
];
