/** The mocked network of the sites. */
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { moduleOf } from '../../scripts/languages.js';
import type { Artist, ArtistVideo } from '../shared/contract/sites';
import {
  artists,
  drama,
  meme,
  memeCategory,
  memeDetail,
  session,
  ttBanner,
  ttRow,
  ttVideo,
  video,
} from './fixtures';
import { problem, site, siteHandlers } from './mocks';
import { privateDrafts } from './private-drafts';

export { problem };

export const signedIn = (changes: Partial<typeof session> = {}) =>
  site('GET /api/subscribe/me', () => ({ ...session, ...changes }));

/** Searches like the services, but without tolerance for typing errors. */
const found = <T extends object>(request: Request, items: T[]) => {
  const words = (new URL(request.url).searchParams.get('q') ?? '').toLowerCase().split(/\s+/);
  const textOf = (item: T) => Object.values(item).join(' ').toLowerCase();
  return items.filter(item => words.every(word => textOf(item).includes(word)));
};

const MEMES = [meme(1), meme(2, { image: 'http://old.example/2.webp' })];

const artistHandlers = (['/api/madfunny', '/api/diski'] as const).flatMap(api => [
  site(`GET ${api}/fetchArtist`, () => artists),
  site(`GET ${api}/fetchVideos/{artist_id}`, () => [video(11), video(12)]),
  site(`GET ${api}/fetchsingle/{id}`, ({ params }) => [video(Number(params.id))]),
  site(`GET ${api}/common/{mid}`, () => [video(12), video(13)]),
  site(`GET ${api}/search/{service}`, ({ request }) =>
    found<Artist | ArtistVideo>(request, [...artists, video(11), video(12, 2)]),
  ),
]);

/** By default there is no session, and every call of the catalogue has a small reply. */
export const handlers = [
  http.get('*/terms/*', ({ request }) => {
    const { pathname, search } = new URL(request.url);
    return HttpResponse.json(JSON.parse(moduleOf(pathname, search)));
  }),
  http.get('*/api/subscribe/me', () => problem(401, 'No session')),
  site('GET /api/subscribe/receipt', () => []),
  site('GET /api/subscribe/check-sub', () => ({ result: 0, state: 'waiting' as const, session: false })),
  site('POST /api/subscribe/challenge', () => ({ challenge: 'press.148.1.a.b' })),
  ...artistHandlers,
  // For forms that a test leaves; while it runs, it has its own (`setup.ts`).
  ...privateDrafts().handlers,
  site('GET /api/meme/search/{service}', ({ request }) => found(request, [meme(1)])),
  site('GET /api/meme/getMemeCategories', () => [memeCategory]),
  site('GET /api/meme/random', () => MEMES),
  site('GET /api/meme/getMemeValue/{id}', () => memeDetail(MEMES)),
  site('GET /api/meme/liked', () => []),
  site('GET /api/meme/mine', () => ({ liked: [] })),
  site('GET /api/tt/search/{service}', ({ request }) => found(request, [ttVideo(101), ttVideo(102)])),
  site('GET /api/tt/getCategory/{service}', () => [drama]),
  site('GET /api/tt/getcatvideos/{service}', () => [ttRow(101, 102)]),
  site('GET /api/tt/banners/{service}', () => [ttBanner(1, 101), ttBanner(2, 101), ttBanner(3, null)]),
  site('GET /api/tt/ttsinglevideo/{id}', ({ params }) => ttVideo(Number(params.id))),
  site('GET /api/tt/ttrelated/{status}', () => [ttVideo(102)]),
  site('GET /api/tt/catVideos/{cat}', () => ({ categoryName: drama.category_name, videos: [ttVideo(101)] })),
  site('GET /api/tt/getTTWatchlist/{service}', () => []),
  site('GET /api/tt/mine/{service}', () => ({ liked: [], watchlist: [] })),
  ...siteHandlers,
];

export const server = setupServer(...handlers);

/** The paths of calls from now on, up to the test's end. */
export function callsFromNow(): string[] {
  const paths: string[] = [];
  server.events.on('request:start', ({ request }) => {
    paths.push(new URL(request.url).pathname);
  });
  return paths;
}
