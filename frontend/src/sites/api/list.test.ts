/** Paged lists: where the next page's address comes from, and when a list ends. */
import { InfiniteQueryObserver } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeReplies } from '../../dev/embedded-replies';
import { meme, memeDetail } from '../../dev/fixtures';
import { server } from '../../dev/server';
import { randomQuery } from '../features/memes/api';
import { listQuery } from './list';
import { queryClient } from './query-client';

const PATH = '/api/tt/getCategory/raceday';
const query = () => listQuery<{ id: number }[]>(PATH);
const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => ({ id: from + place }));

beforeEach(() => queryClient().clear());

describe('a list', () => {
  test('fetches the next page from the Link header, and ends without one', async () => {
    const requested: string[] = [];
    server.use(
      http.get(`*${PATH}`, ({ request }) => {
        const { searchParams } = new URL(request.url);
        requested.push(searchParams.toString());
        const after = Number(searchParams.get('after') ?? 0);
        const next = `<${PATH}?limit=2&after=${after + 2}>; rel="next"`;
        return HttpResponse.json(items(after + 1, after + 2), { headers: after < 4 ? { link: next } : {} });
      }),
    );
    const { pages } = await queryClient().fetchInfiniteQuery({ ...query(), pages: 10 });
    expect(pages.flatMap(page => page.items)).toEqual(items(1, 6));
    expect(requested).toEqual(['', 'limit=2&after=2', 'limit=2&after=4']);
    expect(pages.at(-1)?.next).toBeUndefined();
  });

  test.each([
    [199, undefined],
    [200, `${PATH}?limit=200&after=200`],
  ])('that came with the page and has %d items goes on at %s', async (count, next) => {
    writeReplies({ [PATH]: items(1, count) });
    const { pages } = await queryClient().fetchInfiniteQuery(query());
    expect(pages[0]?.next).toBe(next);
  });

  test('is empty if the reply is not an array', async () => {
    server.use(http.get(`*${PATH}`, () => HttpResponse.json({ oops: true })));
    const { pages } = await queryClient().fetchInfiniteQuery(query());
    expect(pages[0]?.items).toEqual([]);
  });
});

describe('the home of memes', () => {
  const memes = (from: number, to: number) => items(from, to).map(({ id }) => meme(id));
  const all = async () => {
    const list = new InfiniteQueryObserver(queryClient(), randomQuery);
    let { data, hasNextPage } = await list.fetchNextPage();
    while (hasNextPage) ({ data, hasNextPage } = await list.fetchNextPage());
    return data?.items.map(({ id }) => id);
  };

  test('ends after a draw with all memes', async () => {
    server.use(
      http.get('*/api/meme/random', ({ request }) =>
        HttpResponse.json(new URL(request.url).search ? memes(1, 40) : memes(1, 30)),
      ),
    );
    expect(await all()).toEqual(memes(1, 40).map(({ id }) => id));
  });

  test('continues by category when draws return few new memes, and shows no meme twice', async () => {
    const categories = [1, 2, 3];
    server.use(
      http.get('*/api/meme/random', ({ request }) =>
        HttpResponse.json(new URL(request.url).search ? memes(1, 100) : memes(1, 30)),
      ),
      http.get('*/api/meme/getMemeCategories', () =>
        HttpResponse.json(categories.map(id => ({ id, name: `Category ${id}` }))),
      ),
      http.get('*/api/meme/getMemeValue/:id', ({ params }) => {
        const first = (Number(params.id) - 1) * 60 + 1;
        return HttpResponse.json(memeDetail(memes(first, first + 59)));
      }),
    );
    expect(await all()).toEqual(memes(1, 180).map(({ id }) => id));
  });
});
