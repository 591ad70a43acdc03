/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { comedyBrand, footballBrand, memeBrand, serveBrand, ttBrand } from '../dev/brands';
import { writeReplies } from '../dev/embedded-replies';
import { artists, ttVideo, video } from '../dev/fixtures';
import { openPage } from '../dev/render';
import { server } from '../dev/server';
import type { Brand, BrandKind } from './brand';
import { type FirstView, firstViews } from './first-views';
import { apiService, serviceOf } from './service-name';

const BRANDS: Record<BrandKind, Brand> = {
  comedy: comedyBrand,
  diski: footballBrand,
  meme: memeBrand,
  tt: ttBrand,
};
const brandFor = (kind: BrandKind | null, path: string) =>
  BRANDS[kind ?? (/diski|artistvideos|doRedirect/.test(path) ? 'diski' : /tt/.test(path) ? 'tt' : 'comedy')];

const views = await firstViews();

/** An address of the table and its replies, with values for the placeholders. */
function filled({ kind, path, replies }: FirstView) {
  const shown = brandFor(kind, path);
  const service = encodeURIComponent(shown.service);
  const places = path.startsWith('/memeCategory') ? ['1', '7', service] : ['31', service, '1'];
  let place = 0;
  return {
    shown,
    address: path.replace(/\*/g, () => places[place++] ?? '') + (path === '/search' ? '?q=a%20b' : ''),
    replies: replies.map(reply =>
      reply
        .replace(/\{(\d)\}/g, (_, nth) => places[Number(nth) - 1] ?? '')
        .replace('{service}', service)
        .replace('{q}', 'a%20b'),
    ),
  };
}

describe('the table of first views', () => {
  test('has the entries of an address once, and those of all kinds of brands together', () => {
    const of = (at: string) =>
      views.filter(({ path }) => path === at).map(({ kind, page, forward }) => [kind, page, forward]);
    expect(of('/ttredirect')).toEqual([
      ['comedy', 'comedy-home', '/'],
      ['diski', 'diski-home', '/'],
      ['meme', 'meme-home', '/'],
      ['tt', 'tt-home', undefined],
    ]);
    expect(of('/allvideos/*/*')).toEqual([[null, 'comedy-videos', undefined]]);
    expect(of('/allvideos/*/*/*')).toEqual(of('/allvideos/*/*'));
    expect(of('/watchlist')).toEqual([['tt', 'tt-watchlist', undefined]]);
    expect(of('/terms/en')).toEqual([[null, 'terms', undefined]]);
    expect(new Set(views.map(({ kind, path }) => `${kind} ${path}`)).size).toBe(views.length);
  });

  test('page names are short, and the last entry matches every address', () => {
    for (const { page } of views) expect(page).toMatch(/^[a-z-]{1,24}$/);
    expect(views.findIndex(({ path }) => path === '*')).toBe(views.length - 1);
  });

  test('embeds only calls of the catalogue', () => {
    const replies = views.flatMap(view => view.replies);
    for (const reply of replies) expect(reply).toMatch(/^\/api\/(madfunny|diski|meme|tt)\//);
    expect(replies.filter(reply => /mine|watchlist|\/me\b/i.test(reply))).toEqual([]);
  });

  test('pages request the brand’s service', () => {
    const brands = readFileSync(join(import.meta.dirname, '../../../deploy/brands.toml'), 'utf8');
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

  const others = views.filter(({ forward }) => forward === '/');
  const withReplies = views.filter(({ replies, forward }) => replies.length > 0 && !forward);

  test.each(withReplies)(
    'asks for its replies by the very addresses of the table: $path ($page)',
    async view => {
      const { shown, address, replies } = filled(view);
      openPage(address, shown);
      await waitFor(() => expect(requested).toEqual(expect.arrayContaining(replies)));
    },
  );

  test.each(others)('the home of another kind loads the document of the brand: $path ($page)', async view => {
    const { shown, address } = filled(view);
    const replace = vi.fn();
    vi.spyOn(window.location, 'replace').mockImplementation(replace);
    openPage(`${address}?msisdn=27812345678&result=active`, shown);
    const home = `${shown.home}?service=${encodeURIComponent(shown.service)}&msisdn=27812345678&result=active`;
    await waitFor(() => expect(replace).toHaveBeenCalledWith(home));
  });

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
