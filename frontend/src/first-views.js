/**
 * What the first screen of each address needs: the gateway names the files of the chunks in `Link` headers, and embeds the replies in the page.
 *
 * The build writes dist/first-views.json from this table, with files instead of chunks. The first entry that matches an address is used.
 * - `kind`: the kind of brand; null: every kind.
 * - `path`: each `*` is exactly one segment. The last entry, `*`, matches every other address.
 * - `page`: the page's name in metrics.
 * - `chunks`: chunk names of routes.tsx. A page that uses react-query also needs `queries`.
 * - `replies`: the calls of the first screen whose replies are the same for every visitor. `{1}` and `{2}` stand for the first and second `*` of
 *   the address, unchanged; `{service}` for the brand's service and `{q}` for the query of a search, percent-encoded. Without a query the address
 *   is left out. A page looks a reply up by its address, so each must equal
 *   the address in the feature's `api.ts`.
 * - `screen`: false if the application does not hydrate what the server renders, but replaces it.
 * - `list`: true if the first reply is a paged list. Without scripts, `?after=` with an id opens the items that follow.
 * - `own`: calls about the visitor's session. A page without `replies` always embeds them, others only where forms were sent without scripts.
 * - `forward`: where the page goes on by itself, by an ordinary refresh; `{query}` is its query.
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
/** As in src/api/search.ts. */
const search = (/** @type {string} */ prefix) => `/api/${prefix}/search/{service}?q={q}&limit=60`;
const ME = '/api/subscribe/me';
const MY_MEMES = ['/api/meme/mine'];
const MY_TT = '/api/tt/mine/{service}';
const MY_WATCHLIST = '/api/tt/getTTWatchlist/{service}';

/** Each kind's home: its address for active subscribers, and the same entry for `/`. */
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
    // The home address of another kind redirects to this kind's home, in the browser.
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
  { kind: null, path: '/api/subscribe/opt-in', page: 'join', chunks: ['join'], replies: [] },
  {
    kind: null,
    path: '/DoiRedirect',
    page: 'redirecting',
    chunks: ['queries', 'redirecting'],
    replies: [],
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
    replies: [search('madfunny'), COMEDY_ARTISTS],
    list: true,
  },
  {
    kind: 'diski',
    path: '/search',
    page: 'diski-search',
    chunks: ['queries', 'search-artists'],
    replies: [search('diski'), DISKI_ARTISTS],
    list: true,
  },
  {
    kind: 'meme',
    path: '/search',
    page: 'meme-search',
    chunks: ['queries', 'search-memes'],
    replies: [search('meme'), MEME_CATEGORIES],
    list: true,
  },
  {
    kind: 'tt',
    path: '/search',
    page: 'tt-search',
    chunks: ['queries', 'search-tt'],
    replies: [search('tt'), TT_CATEGORIES],
    list: true,
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
    list: true,
    own: [MY_WATCHLIST],
  },
  ...[
    { path: '/terms', page: 'terms' },
    { path: '/ttbhaTerms', page: 'tt-terms' },
    { path: '/raceday-terms', page: 'raceday-terms' },
  ].flatMap(({ path, page }) =>
    // The second has the English text in a page in any language.
    [path, `${path}/en`].map(each => ({ kind: null, path: each, page, chunks: ['legal'], replies: [] })),
  ),
  {
    kind: null,
    path: '/subscription',
    page: 'subscription',
    chunks: ['queries', 'leave'],
    replies: [],
    own: [ME],
  },
  { kind: null, path: '*', page: 'not-found', chunks: ['not-found'], replies: [], screen: false },
];
