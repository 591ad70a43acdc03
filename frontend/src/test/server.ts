/** The mocked network. By default there is no session, and every catalogue call has a small reply. */
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { moduleOf } from '../../scripts/languages.js';
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

export const problem = (status: number, error_message: string) =>
  HttpResponse.json({ title: 'Refused', status, error_message }, { status });

export const signedIn = (changes: Partial<typeof session> = {}) =>
  http.get('*/api/subscribe/me', () => HttpResponse.json({ ...session, ...changes }));

/** Searches like the services, but without tolerance for typing errors. */
const found = <T extends object>(request: Request, items: T[]) => {
  const words = (new URL(request.url).searchParams.get('q') ?? '').toLowerCase().split(/\s+/);
  const textOf = (item: T) => Object.values(item).join(' ').toLowerCase();
  return HttpResponse.json(items.filter(item => words.every(word => textOf(item).includes(word))));
};

const MEMES = [meme(1), meme(2, { image: 'http://old.example/2.webp' })];

export const server = setupServer(
  http.get('*/terms/*', ({ request }) => {
    const { pathname, search } = new URL(request.url);
    return HttpResponse.json(JSON.parse(moduleOf(pathname, search)));
  }),
  http.get('*/api/subscribe/me', () => problem(401, 'No session')),
  http.get('*/api/subscribe/check-sub', () =>
    HttpResponse.json({ result: 0, state: 'waiting', session: false }),
  ),
  http.post('*/api/subscribe/challenge', () => HttpResponse.json({ challenge: 'press.148.1.a.b' })),
  http.get('*/api/:prefix/fetchArtist', () => HttpResponse.json(artists)),
  http.get('*/api/:prefix/fetchVideos/:id', () => HttpResponse.json([video(11), video(12)])),
  http.get('*/api/:prefix/fetchsingle/:id', ({ params }) => HttpResponse.json([video(Number(params.id))])),
  http.get('*/api/:prefix/common/:mid', () => HttpResponse.json([video(12), video(13)])),

  http.get(/\/api\/(madfunny|diski)\/search\//, ({ request }) =>
    found<object>(request, [...artists, video(11), video(12, 2)]),
  ),
  http.get('*/api/meme/search/:service', ({ request }) => found(request, [meme(1)])),
  http.get('*/api/meme/getMemeCategories', () => HttpResponse.json([memeCategory])),
  http.get('*/api/meme/random', () => HttpResponse.json(MEMES)),
  http.get('*/api/meme/getMemeValue/:id', () => HttpResponse.json(memeDetail(MEMES))),
  http.get('*/api/meme/mine', () => HttpResponse.json({ liked: [] })),

  http.get('*/api/tt/search/:service', ({ request }) => found(request, [ttVideo(101), ttVideo(102)])),
  http.get('*/api/tt/getCategory/:service', () => HttpResponse.json([drama])),
  http.get('*/api/tt/getcatvideos/:service', () => HttpResponse.json([ttRow(101, 102)])),
  http.get('*/api/tt/banners/:service', () =>
    HttpResponse.json([ttBanner(1, 101), ttBanner(2, 101), ttBanner(3, null)]),
  ),
  http.get('*/api/tt/ttsinglevideo/:id', ({ params }) => HttpResponse.json(ttVideo(Number(params.id)))),
  http.get('*/api/tt/ttrelated/:status', () => HttpResponse.json([ttVideo(102)])),
  http.get('*/api/tt/catVideos/:cat', () =>
    HttpResponse.json({ categoryName: drama.category_name, videos: [ttVideo(101)] }),
  ),
  http.get('*/api/tt/getTTWatchlist/:service', () => HttpResponse.json([])),
  http.get('*/api/tt/mine/:service', () => HttpResponse.json({ liked: [], watchlist: [] })),
);

/** The paths of calls from now on, up to the test's end. */
export function callsFromNow(): string[] {
  const paths: string[] = [];
  server.events.on('request:start', ({ request }) => {
    paths.push(new URL(request.url).pathname);
  });
  return paths;
}
