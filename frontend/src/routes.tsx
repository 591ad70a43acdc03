/** The route table: one line per address, each page loaded when it is first needed. first-views.js lists what each address loads first. */
import { type ComponentType, lazy, type ReactElement } from 'react';
import { type BrandKind, brand } from './brand';

type Load = () => Promise<{ default: ComponentType }>;
const page = (load: Load): ReactElement => {
  const Lazy = lazy(load);
  return <Lazy />;
};

/** Provides react-query to the pages below it. */
const loadQueries = () => import(/* webpackChunkName: "queries" */ './api/QueryRoutes');
export const QueryRoutes = lazy(loadQueries);

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

const loadArtistSearch = () =>
  import(/* webpackChunkName: "search-artists" */ './features/artists/ArtistSearchPage');
const loadMemeSearch = () => import(/* webpackChunkName: "search-memes" */ './features/memes/MemeSearchPage');
const loadTtSearch = () => import(/* webpackChunkName: "search-tt" */ './features/tt/TtSearchPage');
const ArtistSearch = page(loadArtistSearch);
const searches: Record<BrandKind, ReactElement> = {
  comedy: ArtistSearch,
  diski: ArtistSearch,
  meme: page(loadMemeSearch),
  tt: page(loadTtSearch),
};

const Join = lazy(() => import(/* webpackChunkName: "join" */ './features/join/JoinPage'));
const welcome = <Join key="join" form="welcome" />;
const meme = <Join key="join" form="meme" />;
const vod = <Join key="join" form="vod" />;
const joins: Record<BrandKind, ReactElement> = { comedy: welcome, diski: welcome, meme, tt: vod };

const loadAllVideos = () => import(/* webpackChunkName: "artist" */ './features/artists/AllVideosPage');
const loadMemeCategory = () =>
  import(/* webpackChunkName: "meme-category" */ './features/memes/MemeCategoryPage');
const loadTtVideo = () => import(/* webpackChunkName: "tt-video" */ './features/tt/TtVideoPage');
const loadTtCategory = () => import(/* webpackChunkName: "tt-category" */ './features/tt/TtCategoryPage');
const loadLeave = () => import(/* webpackChunkName: "leave" */ './features/leave/SubscriptionPage');
const loadTerms = () => import(/* webpackChunkName: "legal" */ './features/legal/TermsPage');

type Routed = [path: string, element: ReactElement];

/** Elements are created once: while a page loads, React renders again and must find the same element. */
const queryRoutesOfEveryBrand: Routed[] = [
  ['/redirect', ComedyHome],
  ['/doRedirect', DiskiHome],
  ['/redirectTo', MemeHome],
  ['/ttredirect', TtHome],
  [
    '/DoiRedirect',
    page(() => import(/* webpackChunkName: "redirecting" */ './features/join/RedirectingPage')),
  ],

  ['/allvideos/:artistId/:service/:flag?', page(loadAllVideos)],
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

  ['/memeCategory/:count/:id/:service', page(loadMemeCategory)],

  ['/ttsingle/:id/:service/:ani?', page(loadTtVideo)],
  ['/ttcategory/:cat/:service', page(loadTtCategory)],

  ['/subscription', page(loadLeave)],
];

const routesOfEveryBrand: Routed[] = [
  ['/login', welcome],
  ['/diskilogin', welcome],
  ['/memelogin', meme],
  ['/ttlogin', vod],
  ['/racedaylogin', vod],

  ['/terms', page(loadTerms)],
  ['/ttbhaTerms', page(() => import(/* webpackChunkName: "legal" */ './features/legal/TtTermsPage'))],
  ['/raceday-terms', page(() => import(/* webpackChunkName: "legal" */ './features/legal/RacedayTermsPage'))],
  ['*', page(() => import(/* webpackChunkName: "not-found" */ './features/not-found/NotFoundPage'))],
];

/** Pages that use react-query. */
export const queryRoutes = (): Routed[] => [
  ['/', homes[brand().kind]],
  ['/search', searches[brand().kind]],
  ...queryRoutesOfEveryBrand,
];

/** Pages that load without react-query: they fetch nothing before a visitor acts. */
export const routes = (): Routed[] => [['/join', joins[brand().kind]], ...routesOfEveryBrand];

const nearby: Record<BrandKind, (() => Promise<unknown>)[]> = {
  comedy: [loadAllVideos, loadArtistSearch],
  diski: [loadAllVideos, loadArtistSearch],
  meme: [loadMemeCategory, loadMemeSearch],
  tt: [loadTtCategory, loadTtVideo, loadTtSearch],
};

/** Loads the pages one tap away, a few KB together. Leaving and the terms must open without a connection, too. */
export const loadNearbyPages = (): Promise<unknown> =>
  Promise.allSettled([loadQueries, ...nearby[brand().kind], loadLeave, loadTerms].map(load => load()));
