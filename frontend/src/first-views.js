/**
 * What the first drawing of each address needs: the gateway names the chunk's files along with the page, and writes the replies into it.
 *
 * The build makes dist/first-views.json of it, with the files in place of the chunk. The first entry that fits an address counts.
 * - `kind`: the brands this is true for; null for all.
 * - `path`: every `*` is exactly one segment. The last entry, a lone `*`, is any other address.
 * - `page`: the name under which visits are counted.
 * - `replies`: calls that are the same for everyone and that the page draws first. `{1}`, `{2}` is what the first, second `*` was, as it
 *   stands in the address; `{service}` is the brand's own service, percent-encoded. A page finds a reply by its address, so each
 *   is spelled as the feature's `api.ts` spells it.
 * - `screen`: false where the server leaves the drawing to the browser: what is shown there depends on who asks, or there is no page.
 */

const COMEDY_ARTISTS = '/api/madfunny/fetchArtist?service={service}';
const COMEDY_GRID = ['/api/madfunny/fetchVideos/{1}', COMEDY_ARTISTS];
const DISKI_ARTISTS = '/api/diski/fetchArtist?service={service}';
const DISKI_GRID = ['/api/diski/fetchVideos/{1}', DISKI_ARTISTS];
const MEME_HOME = ['/api/meme/random', '/api/meme/getMemeCategories'];
const TT_HOME = ['/api/tt/getcatvideos/{service}', '/api/tt/banners/{service}'];
const TT_VIDEO = ['/api/tt/ttsinglevideo/{1}'];

/** Each kind's home: its address for active subscribers beside `/`, and what both draw. */
const HOMES = [
  { kind: 'comedy', path: '/redirect', page: 'comedy-home', chunk: 'home-comedy', replies: [COMEDY_ARTISTS] },
  { kind: 'diski', path: '/doRedirect', page: 'diski-home', chunk: 'home-diski', replies: [DISKI_ARTISTS] },
  { kind: 'meme', path: '/redirectTo', page: 'meme-home', chunk: 'home-meme', replies: MEME_HOME },
  { kind: 'tt', path: '/ttredirect', page: 'tt-home', chunk: 'home-tt', replies: TT_HOME },
];

/** @type {{ kind: 'comedy' | 'diski' | 'meme' | 'tt' | null, path: string, page: string, chunk: string, replies: string[], screen?: false }[]} */
export const firstViews = [
  ...HOMES.flatMap(home => [
    { ...home, path: '/' },
    home,
    // The home address of another kind leads to the own home, which the browser then draws.
    ...HOMES.filter(other => other !== home).map(({ path }) => ({ ...home, path, screen: false })),
  ]),

  { kind: null, path: '/login', page: 'join', chunk: 'join', replies: [] },
  { kind: null, path: '/diskilogin', page: 'join', chunk: 'join', replies: [] },
  { kind: null, path: '/memelogin', page: 'join', chunk: 'join', replies: [] },
  { kind: null, path: '/ttlogin', page: 'join', chunk: 'join', replies: [] },
  { kind: null, path: '/racedaylogin', page: 'join', chunk: 'join', replies: [] },
  { kind: null, path: '/join', page: 'join', chunk: 'join', replies: [] },
  { kind: null, path: '/DoiRedirect', page: 'redirecting', chunk: 'redirecting', replies: [], screen: false },

  { kind: null, path: '/allvideos/*/*', page: 'comedy-videos', chunk: 'artist', replies: COMEDY_GRID },
  { kind: null, path: '/allvideos/*/*/*', page: 'comedy-videos', chunk: 'artist', replies: COMEDY_GRID },
  {
    kind: null,
    path: '/video/*/*/*',
    page: 'comedy-video',
    chunk: 'artist',
    replies: ['/api/madfunny/fetchsingle/{1}'],
  },
  { kind: null, path: '/artistvideos/*/*/*', page: 'diski-videos', chunk: 'artist', replies: DISKI_GRID },
  {
    kind: null,
    path: '/diskisingle/*/*/*',
    page: 'diski-video',
    chunk: 'artist',
    replies: ['/api/diski/fetchsingle/{1}'],
  },

  {
    kind: null,
    path: '/memeCategory/*/*/*',
    page: 'meme-category',
    chunk: 'meme-category',
    replies: ['/api/meme/getMemeValue/{2}'],
  },

  { kind: null, path: '/ttsingle/*/*', page: 'tt-video', chunk: 'tt-video', replies: TT_VIDEO },
  { kind: null, path: '/ttsingle/*/*/*', page: 'tt-video', chunk: 'tt-video', replies: TT_VIDEO },
  {
    kind: null,
    path: '/ttcategory/*/*',
    page: 'tt-category',
    chunk: 'tt-category',
    replies: ['/api/tt/catVideos/{1}'],
  },

  { kind: 'comedy', path: '/search', page: 'comedy-search', chunk: 'search-artists', replies: [] },
  { kind: 'diski', path: '/search', page: 'diski-search', chunk: 'search-artists', replies: [] },
  { kind: 'meme', path: '/search', page: 'meme-search', chunk: 'search-memes', replies: [] },
  { kind: 'tt', path: '/search', page: 'tt-search', chunk: 'search-tt', replies: [] },
  { kind: null, path: '/terms', page: 'terms', chunk: 'legal', replies: [] },
  { kind: null, path: '/ttbhaTerms', page: 'tt-terms', chunk: 'legal', replies: [] },
  { kind: null, path: '/raceday-terms', page: 'raceday-terms', chunk: 'legal', replies: [] },
  { kind: null, path: '/subscription', page: 'subscription', chunk: 'leave', replies: [], screen: false },
  { kind: null, path: '*', page: 'not-found', chunk: 'not-found', replies: [], screen: false },
];
