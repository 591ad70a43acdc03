/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Brand, BrandKind } from './brand';
import { firstViews } from './first-views';
import { QueryProvider, routes } from './routes';
import { apiService, serviceOf } from './service-name';
import { comedyBrand, footballBrand, memeBrand, serveBrand, ttBrand } from './test/brands';
import { writeReplies } from './test/embedded-replies';
import { artists, ttVideo, video } from './test/fixtures';
import { openPage } from './test/render';
import { server } from './test/server';

const BRANDS: Record<BrandKind, Brand> = {
  comedy: comedyBrand,
  diski: footballBrand,
  meme: memeBrand,
  tt: ttBrand,
};
const brandFor = (kind: BrandKind | null, path: string) =>
  BRANDS[kind ?? (/diski|artistvideos|doRedirect/.test(path) ? 'diski' : /tt/.test(path) ? 'tt' : 'comedy')];

/** An address of the table and its replies, with values for the placeholders. */
function filled({ kind, path, replies }: (typeof firstViews)[number]) {
  const shown = brandFor(kind, path);
  const service = encodeURIComponent(shown.service);
  const places = path.startsWith('/memeCategory') ? ['1', '7', service] : ['31', service, '1'];
  let place = 0;
  return {
    shown,
    address: path.replace(/\*/g, () => places[place++] ?? '') + (path === '/search' ? '?q=a%20b' : ''),
    replies: replies.map(reply =>
      reply
        .replace(/\{(\d)\}/g, (_, nth) => places[nth - 1] ?? '')
        .replace('{service}', service)
        .replace('{q}', 'a%20b'),
    ),
  };
}

describe('the table of first views', () => {
  // `/allvideos/:artistId/:service/:flag?` is two paths: one with two segments after the first, one with three. So is `/terms/en?`.
  const pathsOf = (route: string) => {
    const path = route.replace(/:\w+/g, '*');
    return path.endsWith('?') ? [path.slice(0, path.lastIndexOf('/')), path.slice(0, -1)] : [path];
  };

  test.each(Object.values(BRANDS))('has every route of a $kind brand once', shown => {
    serveBrand(shown);
    const listed = firstViews.filter(({ kind }) => kind === null || kind === shown.kind);
    const expected = routes().flatMap(([path]) => pathsOf(path));
    expect(listed.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  test.each(Object.values(BRANDS))('loads react-query with the pages of a $kind brand that use it', shown => {
    serveBrand(shown);
    const listed = firstViews.filter(({ kind }) => kind === null || kind === shown.kind);
    const withQueries = listed.filter(({ chunks }) => chunks.includes('queries'));
    const expected = routes().flatMap(([path, { type }]) => (type === QueryProvider ? pathsOf(path) : []));
    expect(withQueries.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  test('page names are short, and the last entry matches every address', () => {
    for (const { page } of firstViews) expect(page).toMatch(/^[a-z-]{1,24}$/);
    expect(firstViews.findIndex(({ path }) => path === '*')).toBe(firstViews.length - 1);
  });

  test('embeds only calls of the catalogue', () => {
    const replies = firstViews.flatMap(view => view.replies);
    for (const reply of replies) expect(reply).toMatch(/^\/api\/(madfunny|diski|meme|tt)\//);
    expect(replies.filter(reply => /mine|watchlist|\/me\b/i.test(reply))).toEqual([]);
  });

  test('pages request the brand’s service', () => {
    const brands = readFileSync(join(import.meta.dirname, '../../deploy/brands.toml'), 'utf8');
    const services = [...brands.matchAll(/^service = "(.+)"$/gm)].map(([, service = '']) => service);
    expect(services.length).toBeGreaterThan(4);
    for (const service of services) {
      serveBrand({ ...comedyBrand, service });
      expect(apiService(serviceOf(''))).toBe(service);
    }
  });
});

describe('a page', () => {
  let requested: string[];
  const listen = ({ request }: { request: Request }) => {
    const { pathname, search } = new URL(request.url);
    requested.push(pathname + search);
  };
  beforeEach(() => {
    requested = [];
    server.events.on('request:start', listen);
  });
  afterEach(() => server.events.removeListener('request:start', listen));

  const withReplies = firstViews.filter(({ replies }) => replies.length > 0);

  test.each(withReplies)(
    'asks for its replies by the very addresses of the table: $path ($page)',
    async view => {
      const { shown, address, replies } = filled(view);
      openPage(address, shown);
      await waitFor(() => expect(requested).toEqual(expect.arrayContaining(replies)));
    },
  );

  /** Records every skeleton that was rendered. */
  function watchForSkeletons(): string[] {
    const seen: string[] = [];
    const observer = new MutationObserver(() => {
      for (const each of document.querySelectorAll('main .skeleton')) seen.push(each.className);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return seen;
  }

  const artistsAs = { '/api/madfunny/fetchArtist?service=MC%20Funny': artists };
  const card = () => screen.findByRole('article', { name: 'Sipho Dlamini, Comedian' });
  test.each([
    { address: '/', shown: comedyBrand, replies: artistsAs, drawn: card },
    { address: '/redirect?service=madfunny', shown: comedyBrand, replies: artistsAs, drawn: card },
    {
      address: '/ttredirect',
      shown: ttBrand,
      replies: {
        '/api/tt/getcatvideos/ttmbhatv': [
          { category: { id: 1, category_name: 'Drama' }, videos: [ttVideo(101)] },
        ],
        '/api/tt/banners/ttmbhatv': [{ id: 1, title: 'Banner 1', imgurl: '', videoid: null }],
      },
      drawn: () => screen.findByRole('link', { name: 'Drama' }),
    },
    {
      address: '/artistvideos/1/diski99/1',
      shown: footballBrand,
      replies: {
        '/api/diski/fetchVideos/1': [video(11)],
        '/api/diski/fetchArtist?service=diski99': artists,
      },
      drawn: () => screen.findByRole('link', { name: /Clip 11/ }),
    },
  ])('whose replies came with it draws them at once and asks for none: $address', async view => {
    writeReplies(view.replies);
    const skeletons = watchForSkeletons();
    openPage(view.address, view.shown);
    expect(await view.drawn()).toBeInTheDocument();
    expect(skeletons).toEqual([]);
    expect(requested.filter(each => each in view.replies)).toEqual([]);
  });
});
