import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { serveBrand, ttBrand } from '../../dev/brands';
import { server } from '../../dev/server';
import { learnTaste } from '../taste';
import { feedQuery } from './feed';

const query = feedQuery({
  groups: '/api/groups?service=x&limit=1',
  videosOf: group => `/api/videos/${group}`,
  videos: (reply: { id: number }[]) => reply,
  taste: { prefix: 'category-', keyOf: ({ id }) => `category-${Math.floor(id / 10)}` },
});

/** Groups 1 to `count`, one a call; `videos` has the pages of each one's videos. */
function serve(count: number, videos: Record<number, number[][]>): string[] {
  const calls: string[] = [];
  server.use(
    http.get('*/api/groups', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      calls.push(`groups${search}`);
      const id = Number(searchParams.get('after') ?? 0) + 1;
      const headers = id < count ? { link: `</api/groups?limit=1&after=${id}>; rel="next"` } : undefined;
      return HttpResponse.json([{ id }], headers && { headers });
    }),
    http.get('*/api/videos/:group', ({ request, params }) => {
      const { searchParams } = new URL(request.url);
      const page = Number(searchParams.get('after') ?? 0);
      calls.push(`videos ${params.group} ${page}`);
      const pages = videos[Number(params.group)] ?? [[]];
      const headers =
        page + 1 < pages.length
          ? { link: `</api/videos/${params.group}?after=${page + 1}>; rel="next"` }
          : undefined;
      return HttpResponse.json(
        (pages[page] ?? []).map(id => ({ id })),
        headers && { headers },
      );
    }),
  );
  return calls;
}

async function pagesOf(pages: number): Promise<(number[] | 'end')[]> {
  serveBrand(ttBrand);
  const client = new QueryClient();
  const { pages: loaded } = (await client.fetchInfiniteQuery({ ...query, pages } as never)) as {
    pages: { items: { id: number }[]; next: string | undefined }[];
  };
  return [
    ...loaded.map(({ items }) => items.map(({ id }) => id)),
    ...(loaded.at(-1)?.next ? [] : ['end' as const]),
  ];
}

test('a feed goes through the pages of a group, then through the next group, to the end', async () => {
  const calls = serve(3, { 1: [[11, 12], [13]], 2: [[]], 3: [[31]] });
  expect(await pagesOf(9)).toEqual([[11, 12], [13], [31], 'end']);
  expect(calls[0]).toBe('groups?service=x&limit=1');
  expect(calls).toContain('videos 1 1');
});

test('a feed looks through no more than eight groups without videos in one page', async () => {
  const calls = serve(20, { 20: [[1]] });
  expect(await pagesOf(1)).toEqual([[]]);
  expect(calls.filter(call => call.startsWith('groups'))).toHaveLength(8);
  expect(await pagesOf(9)).toEqual([[], [], [1], 'end']);
});

test('a feed begins with what is liked, with something else in between, and shows nothing twice', async () => {
  serve(3, { 1: [[11, 12, 13]], 2: [[21]], 3: [[31, 32, 33, 34]] });
  serveBrand(ttBrand);
  learnTaste('category-3', 'liked');
  // Gone since.
  learnTaste('category-9', 'liked');
  // Page by page, as a person goes on.
  const list = new InfiniteQueryObserver(new QueryClient(), query as never);
  await list.fetchNextPage();
  await list.fetchNextPage();
  const { data } = await list.fetchNextPage();
  const pages = (data as unknown as { items: { id: number }[] }).items.map(({ id }) => id);
  const first = pages.slice(0, 7);
  expect(first.slice(0, 3).every(id => id > 30)).toBe(true);
  expect(first[3]).toBeLessThan(20);
  expect(first[4]).toBeGreaterThan(30);
  expect([...first].sort()).toEqual([11, 12, 13, 31, 32, 33, 34]);
  expect(pages.slice(7)).toEqual([21]);
});
