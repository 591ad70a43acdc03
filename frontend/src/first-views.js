/**
 * What the first screen of each address needs: the gateway names the chunks' files along with the page, and writes the replies into it.
 *
 * The build writes dist/first-views.json from it, with files instead of chunks. The first entry that matches an address counts.
 * - `kind`: the kind of brand it holds for; null for all.
 * - `path`: each `*` is exactly one segment. The last entry, a lone `*`, is any other address.
 * - `page`: the name under which visits are counted.
 * - `chunks`: by the names in routes.tsx. A page that uses react-query needs `queries`, too.
 * - `replies`: calls that are the same for every visitor and that the first screen shows. `{1}`, `{2}` is the first, second `*` as the
 *   address spells it; `{service}` is the brand's own service, percent-encoded. A page finds a reply by its address, so each is spelled
 *   as the feature's `api.ts` spells it.
 * - `screen`: false where the server does not render the page: it depends on the visitor, or there is no page. What a browser without
 *   scripts reads there is then written beside the page's root.
 * - `list`: true where the first reply is a list that may go on: `?after=` and an id asks for what follows, where no scripts run.
 * - `own`: calls about the visitor's own session, for browsers without scripts.
 * - `forward`: where the page leads by itself; `{query}` is its query. A browser without scripts is sent there.
 */

const COMEDY_ARTISTS = '/api/madfunny/fetchArtist?service={service}';
const COMEDY_GRID = ['/api/madfunny/fetchVideos/{1}', COMEDY_ARTISTS];
const DISKI_ARTISTS = '/api/diski/fetchArtist?service={service}';
const DISKI_GRID = ['/api/diski/fetchVideos/{1}', DISKI_ARTISTS];
const TT_HOME = ['/api/tt/getcatvideos/{service}', '/api/tt/banners/{service}'];
const MEME_CATEGORIES = '/api/meme/getMemeCategories';
const MEME_HOME = ['/api/meme/random', MEME_CATEGORIES];
const TT_CATEGORIES = '/api/tt/getCategory/{service}';
const TT_VIDEO = ['/api/tt/ttsinglevideo/{1}'];
const ME = '/api/subscribe/me';
const MY_MEMES = ['/api/meme/mine'];
const MY_TT = '/api/tt/mine/{service}';
const MY_WATCHLIST = '/api/tt/getTTWatchlist/{service}';

/** Each kind's home: its address for active subscribers beside `/`, and what both show. */
const HOMES = [
  {
    kind: 'comedy',
    path: '/redirect',
    page: 'comedy-home',
    chunks: ['queries', 'home-comedy'],
    replies: [COMEDY_ARTISTS],
    list: true,
  },
  {
    kind: 'diski',
    path: '/doRedirect',
    page: 'diski-home',
    chunks: ['queries', 'home-diski'],
    replies: [DISKI_ARTISTS],
    list: true,
  },
  {
    kind: 'meme',
    path: '/redirectTo',
    page: 'meme-home',
    chunks: ['queries', 'home-meme'],
    replies: MEME_HOME,
    own: MY_MEMES,
  },
  {
    kind: 'tt',
    path: '/ttredirect',
    page: 'tt-home',
    chunks: ['queries', 'home-tt'],
    replies: TT_HOME,
    list: true,
    own: [MY_WATCHLIST],
  },
];

/** @type {{ kind: 'comedy' | 'diski' | 'meme' | 'tt' | null, path: string, page: string, chunks: string[], replies: string[], screen?: false, list?: true, own?: string[], forward?: string }[]} */
export const firstViews = [
  ...HOMES.flatMap(home => [
    { ...home, path: '/' },
    home,
    // The home address of another kind leads to the own home, which the browser then renders.
    ...HOMES.filter(other => other !== home).map(({ path }) => ({
      ...home,
      path,
      screen: /** @type {const} */ (false),
      forward: '/',
    })),
  ]),

  { kind: null, path: '/login', page: 'join', chunks: ['join'], replies: [] },
  { kind: null, path: '/diskilogin', page: 'join', chunks: ['join'], replies: [] },
  { kind: null, path: '/memelogin', page: 'join', chunks: ['join'], replies: [] },
  { kind: null, path: '/ttlogin', page: 'join', chunks: ['join'], replies: [] },
  { kind: null, path: '/racedaylogin', page: 'join', chunks: ['join'], replies: [] },
  { kind: null, path: '/join', page: 'join', chunks: ['join'], replies: [] },
  {
    kind: null,
    path: '/DoiRedirect',
    page: 'redirecting',
    chunks: ['queries', 'redirecting'],
    replies: [],
    screen: false,
    forward: '/forms/check?{query}',
  },

  {
    kind: null,
    path: '/allvideos/*/*',
    page: 'comedy-videos',
    chunks: ['queries', 'artist'],
    replies: COMEDY_GRID,
    list: true,
  },
  {
    kind: null,
    path: '/allvideos/*/*/*',
    page: 'comedy-videos',
    chunks: ['queries', 'artist'],
    replies: COMEDY_GRID,
    list: true,
  },
  {
    kind: null,
    path: '/video/*/*/*',
    page: 'comedy-video',
    chunks: ['queries', 'artist'],
    replies: ['/api/madfunny/fetchsingle/{1}'],
    own: [ME],
  },
  {
    kind: null,
    path: '/artistvideos/*/*/*',
    page: 'diski-videos',
    chunks: ['queries', 'artist'],
    replies: DISKI_GRID,
    list: true,
  },
  {
    kind: null,
    path: '/diskisingle/*/*/*',
    page: 'diski-video',
    chunks: ['queries', 'artist'],
    replies: ['/api/diski/fetchsingle/{1}'],
    own: [ME],
  },

  {
    kind: null,
    path: '/memeCategory/*/*/*',
    page: 'meme-category',
    chunks: ['queries', 'meme-category'],
    replies: ['/api/meme/getMemeValue/{2}'],
    list: true,
    own: MY_MEMES,
  },

  {
    kind: null,
    path: '/ttsingle/*/*',
    page: 'tt-video',
    chunks: ['queries', 'tt-video'],
    replies: TT_VIDEO,
    own: [ME, MY_TT, MY_WATCHLIST],
  },
  {
    kind: null,
    path: '/ttsingle/*/*/*',
    page: 'tt-video',
    chunks: ['queries', 'tt-video'],
    replies: TT_VIDEO,
    own: [ME, MY_TT, MY_WATCHLIST],
  },
  {
    kind: null,
    path: '/ttcategory/*/*',
    page: 'tt-category',
    chunks: ['queries', 'tt-category'],
    replies: ['/api/tt/catVideos/{1}'],
    list: true,
    own: [MY_WATCHLIST],
  },

  {
    kind: 'comedy',
    path: '/search',
    page: 'comedy-search',
    chunks: ['queries', 'search-artists'],
    replies: [COMEDY_ARTISTS],
  },
  {
    kind: 'diski',
    path: '/search',
    page: 'diski-search',
    chunks: ['queries', 'search-artists'],
    replies: [DISKI_ARTISTS],
  },
  {
    kind: 'meme',
    path: '/search',
    page: 'meme-search',
    chunks: ['queries', 'search-memes'],
    replies: [MEME_CATEGORIES],
  },
  {
    kind: 'tt',
    path: '/search',
    page: 'tt-search',
    chunks: ['queries', 'search-tt'],
    replies: [TT_CATEGORIES],
  },
  ...['comedy', 'diski', 'tt'].map(kind => ({
    kind: /** @type {'comedy' | 'diski' | 'tt'} */ (kind),
    path: '/feed',
    page: `${kind}-feed`,
    chunks: ['queries', kind === 'tt' ? 'tt-feed' : 'feed'],
    replies: [],
    screen: /** @type {const} */ (false),
  })),
  {
    kind: 'tt',
    path: '/watchlist',
    page: 'tt-watchlist',
    chunks: ['queries', 'tt-watchlist'],
    replies: [],
    screen: false,
    // The rows of the home have the pictures.
    own: [MY_WATCHLIST, TT_HOME[0]],
  },
  { kind: null, path: '/terms', page: 'terms', chunks: ['legal'], replies: [] },
  { kind: null, path: '/ttbhaTerms', page: 'tt-terms', chunks: ['legal'], replies: [] },
  { kind: null, path: '/raceday-terms', page: 'raceday-terms', chunks: ['legal'], replies: [] },
  {
    kind: null,
    path: '/subscription',
    page: 'subscription',
    chunks: ['queries', 'leave'],
    replies: [],
    screen: false,
    own: [ME],
  },
  { kind: null, path: '*', page: 'not-found', chunks: ['not-found'], replies: [], screen: false },
];
