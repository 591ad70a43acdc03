/// <reference types="node" />
/** Runs the built bundle in QuickJS, the gateway's engine, and hydrates its markup with the browser's pages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import engine from '@jitl/quickjs-ng-wasmfile-release-sync';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { newQuickJSWASMModuleFromVariant, type QuickJSContext } from 'quickjs-emscripten-core';
import { BrowserRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import sesotho from '../../languages/st.toml';
import zulu from '../../languages/zu.toml';
import { readLanguages } from '../../scripts/languages.js';
import { comedyBrand, footballBrand, memeBrand, racingBrand, serveBrand, ttBrand } from '../dev/brands';
import { writeReplies } from '../dev/embedded-replies';
import { ttBanner, ttRow, watchlistItem } from '../dev/fixtures';
import { forgetOwnReplies } from './api/embedded-replies';
import { queryClient } from './api/query-client';
import { App } from './app';
import { applyTheme, type Brand } from './brand';
import { type FirstView, firstViews } from './first-views';
import type { TermsId } from './message-types';

type Input = {
  boot: Brand;
  language?: string;
  address: string;
  replies?: Record<string, unknown>;
  domain?: string;
  problem?: string;
  msisdn?: string;
  left?: boolean;
  own?: Record<string, unknown>;
  plain?: boolean;
};

let context: QuickJSContext;
const call = (name: string, input: unknown): string => {
  const drawer = context.getProp(context.global, name);
  const text = context.newString(JSON.stringify(input));
  const drawn = context.unwrapResult(context.callFunction(drawer, context.undefined, text));
  const answer = context.getString(drawn);
  for (const each of [drawer, text, drawn]) each.dispose();
  return answer;
};
const firstScreen = (input: Input) => call('firstScreen', input);
const firstLook = (boot: Brand) => JSON.parse(call('firstLook', boot));

beforeAll(async () => {
  context = (await newQuickJSWASMModuleFromVariant(engine)).newContext();
  const folder = mkdtempSync(join(tmpdir(), 'server-rendering-'));
  try {
    const frontend = join(import.meta.dirname, '../..');
    const webpack = join(frontend, 'node_modules/webpack/bin/webpack.js');
    const options = ['--mode', 'production', '--config-name', 'server-rendering', '--output-path', folder];
    execFileSync(process.execPath, [webpack, ...options], {
      cwd: frontend,
      env: { ...process.env, NODE_ENV: '' },
    });
    const bundle = readFileSync(join(folder, 'first-screen.js'), 'utf8');
    context.unwrapResult(context.evalCode(bundle, 'first-screen.js')).dispose();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const visit = (address: string, host = 'mcfunny.localhost') =>
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    `http://${host}:8080${address}`,
  );

const reply = async (address: string): Promise<unknown> =>
  (await fetch(new URL(address, window.location.href))).json();

/** The gateway's input for an address of the table, with the services' replies. */
async function inputFor(boot: Brand, view: FirstView): Promise<Input> {
  const service = encodeURIComponent(boot.service);
  const parts = view.path.startsWith('/memeCategory') ? ['1', '7', service] : ['1', service, '1'];
  let place = 0;
  const query = view.path === '/search' ? '?q=1' : '';
  const address = view.path.replace(/\*/g, () => parts[place++] ?? '') + query;
  const replies: Record<string, unknown> = {};
  for (const each of view.replies) {
    const path = each
      .replace('{service}', service)
      .replace('{q}', '1')
      .replace(/\{(\d)\}/g, (_, nth) => parts[Number(nth) - 1] ?? '');
    replies[path] = await reply(path);
  }
  return { boot, address, replies };
}

const BRANDS = [comedyBrand, footballBrand, memeBrand, ttBrand, racingBrand];
const views = await firstViews();
const drawn = views.filter(({ screen }) => screen !== false);
const cases = BRANDS.flatMap(boot =>
  drawn
    .filter(({ kind }) => kind === null || kind === boot.kind)
    .map(view => ({ boot, view, what: `${boot.name} ${view.path}` })),
);

/** A session. */
const ME = {
  msisdn: '27••••••678',
  service: 'MC Funny',
  svc_id: 148,
  state: 'active',
  price_cents: 300,
  period: 'day',
  since: '2026-11-23 23:10:00',
  total_cents: 600,
  next_charge: '2026-11-26 04:00:00',
  stop_number: '31333',
  ussd: '*120*31333#',
  limit_reached: false,
  helpline: '080',
};

let root: HTMLElement;
beforeEach(() => {
  document.title = '';
  root = document.body.appendChild(document.createElement('div'));
  root.id = 'root';
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  root.remove();
  document.getElementById('replies')?.remove();
  visit('/');
});

/** Hydrates as main.tsx does. Returns React's warnings. */
function hydrate({ boot, address, replies = {} }: Input, markup: string, host?: string): unknown[] {
  visit(address, host);
  serveBrand(boot);
  writeReplies(replies);
  root.innerHTML = markup;
  const complaints: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => complaints.push(words));
  render(
    <BrowserRouter>
      <App />
    </BrowserRouter>,
    { container: root, hydrate: true, onRecoverableError: error => complaints.push(error) },
  );
  return complaints;
}

const isHydrated = () => waitFor(() => expect(document.title).not.toBe(''));

describe('every address that the server renders', () => {
  test.each(cases)('$what', async ({ boot, view }) => {
    const input = await inputFor({ ...boot, session: false }, view);
    const markup = firstScreen(input);
    // The return page has nothing around it.
    expect(markup).toContain(
      view.path === '/DoiRedirect' ? '<main class="redirecting"' : '<main id="main" class="page">',
    );
    // The pages' content security policy forbids all of them.
    expect(markup).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|javascript:/i);
    // Every reply is embedded, so nothing on the first screen is loading.
    const first = document.createElement('div');
    first.innerHTML = markup;
    if (Object.keys(input.replies ?? {}).length > 0) {
      const [beginning] = (first.querySelector('main')?.innerHTML ?? '').split('<section class="related"');
      expect(beginning?.split('Related Videos')[0]).not.toContain('skeleton');
    }

    const complaints = hydrate(input, markup);
    const kept = root.querySelector('main');
    await isHydrated();
    expect(complaints).toEqual([]);
    expect(root.querySelector('main')).toBe(kept);
    expect(kept?.isConnected).toBe(true);
  });

  test('a page without scripts has a video, forms and the state of marks', async () => {
    const view = (page: string) => views.find(each => each.page === page) as never;
    const plain = (markup: string) => {
      const inert = document.createElement('div');
      inert.innerHTML = markup;
      return inert;
    };
    const film = { ...(await inputFor({ ...ttBrand, session: true }, view('tt-video'))) };
    const [[address = '', video] = []] = Object.entries(film.replies ?? {});
    film.replies = {
      [address]: { ...(video as object), vurl: '/media/a/master.m3u8', captions: '/media/a/b.zu.vtt' },
    };
    const watched = plain(firstScreen(film));
    expect(watched.querySelector('video')?.getAttribute('src')).toBe('/media/a/fallback.mp4');
    expect(watched.querySelector('track')?.getAttribute('srclang')).toBe('zu');
    expect(watched.querySelectorAll('form[action="/forms/mark"] button[name]')).toHaveLength(2);
    const without = plain(firstScreen({ ...film, boot: { ...ttBrand, session: false } }));
    // A stranger's like leads to the join form.
    expect(without.querySelector('video')).toBeNull();
    expect(without.querySelectorAll('form[action="/forms/mark"]')).toHaveLength(2);
    const over = plain(firstScreen({ ...film, own: { '/api/subscribe/me': { state: 'cancelled' } } }));
    expect(over.querySelector('video')).toBeNull();
    expect(over.textContent).toContain('Your subscription is not active');

    const memes = await inputFor({ ...memeBrand, session: true }, view('meme-category'));
    const [{ memeData = [] } = {}] = Object.values(memes.replies ?? {}) as { memeData?: { id: number }[] }[];
    const shown = memeData[0]?.id;
    const liked = plain(firstScreen({ ...memes, own: { '/api/meme/mine': { liked: [shown] } } }));
    expect(liked.querySelector('[aria-pressed=true]')?.getAttribute('value')).toBe(String(shown));
    expect(liked.querySelector('[aria-pressed=true]')?.getAttribute('name')).toBe('unlike');
  });

  test.each([
    ['subscription', comedyBrand, { '/api/subscribe/me': ME }],
    ['subscription', comedyBrand, { '/api/subscribe/me': null }],
    ['subscription', comedyBrand, {}],
    ['tt-watchlist', ttBrand, { '/api/tt/getTTWatchlist/ttmbhatv': [102, 101].map(watchlistItem) }],
    [
      'tt-video',
      ttBrand,
      { '/api/subscribe/me': ME, '/api/tt/mine/ttmbhatv': { liked: [1], watchlist: [] } },
    ],
    ['meme-category', memeBrand, { '/api/meme/mine': { liked: [1, 2, 3] } }],
  ])('%s is hydrated with the visitor’s own data %#', async (page, boot, own) => {
    const view = views.find(each => each.page === page) as never;
    const input = { ...(await inputFor({ ...boot, session: true }, view)), own };
    const markup = firstScreen(input);
    const embedded = document.body.appendChild(document.createElement('script'));
    Object.assign(embedded, { id: 'own', type: 'application/json', textContent: JSON.stringify(own) });
    forgetOwnReplies(true);
    const complaints = hydrate(input, markup);
    const kept = root.querySelector('main');
    await isHydrated();
    embedded.remove();
    forgetOwnReplies();
    expect(complaints).toEqual([]);
    expect(root.querySelector('main')).toBe(kept);
  });

  test('renders the subscription of a session, and a form that ends it', () => {
    const page = (more: Partial<Input>) =>
      firstScreen({
        boot: { ...comedyBrand, session: true },
        address: '/subscription',
        plain: true,
        ...more,
      });
    const active = page({ own: { '/api/subscribe/me': ME } });
    // Those of the subscriber's own network, in place of all of the brand's.
    expect(active).toContain('31333');
    expect(active).not.toContain('31222');
    for (const fact of ['27••••••678', 'R3 per day', 'R6', '24 November 2026', '26 November 2026'])
      expect(active).toContain(fact);
    expect(active).toContain('Unsubscribe now');
    expect(active).not.toContain('name="msisdn"');
    for (const ended of [null, { ...ME, state: 'cancelled' }])
      expect(page({ own: { '/api/subscribe/me': ended } })).toContain('name="msisdn"');
    expect(page({ left: true })).toContain('You have left');
    expect(page({ problem: 'No such number.', msisdn: '12' })).toMatch(/No such number\..*value="12"/);
    expect(page({ boot: { ...comedyBrand, session: false } })).toContain('*135#');
  });

  test('renders 24 cards and a link to the next page without scripts', () => {
    const reply = '/api/madfunny/fetchArtist?service=MC%20Funny';
    const artists = Array.from({ length: 25 }, (_, place) => ({
      id: 100 + place,
      artist: `Artist ${place}`,
      name: `Artist ${place}`,
      artist_img_url: 'https://images.example/a.webp',
      description: '',
    }));
    const input = {
      boot: { ...comedyBrand, session: false },
      address: '/?after=99',
      replies: { [reply]: artists },
    };
    expect(firstScreen(input)).toContain('href="/?after=111"');
    expect(firstScreen({ ...input, plain: true })).toContain('href="/?after=123"');
    const last = { ...input, plain: true, replies: { [reply]: artists.slice(0, 24) } };
    expect(firstScreen(last)).not.toContain('href="/?after=');
  });

  test('is rendered for a visitor with a session', async () => {
    for (const { boot, view } of cases.filter(({ view: { page } }) => /home|video$/.test(page))) {
      const input = await inputFor({ ...boot, session: true }, view);
      const markup = firstScreen(input);
      expect(markup).toContain('<main');
      // With a session cookie the page does not ask to join before the session is known.
      expect(markup).not.toContain('Join now');
    }
  });
});

test('firstScreen renders any address: the gateway selects them', () => {
  const boot = { ...comedyBrand, session: false };
  expect(firstScreen({ boot, address: '/nothing/here' })).toContain('Go to the home page');
  expect(firstScreen({ boot, address: '/DoiRedirect?msisdn=1&subscription_id=2' })).toContain(
    'redirecting....',
  );
  // Skeletons take the space of missing replies.
  expect(firstScreen({ boot, address: '/' })).toContain('skeleton');
});

describe('renderings are independent', () => {
  test('two brands in turn render the same as each alone', async () => {
    const home = (kind: string) => views.find(view => view.kind === kind && view.path === '/') as never;
    const comedy = await inputFor(comedyBrand, home('comedy'));
    const meme = await inputFor(memeBrand, home('meme'));
    const alone = [firstScreen(comedy), firstScreen(meme)];
    const named = { ...comedy, boot: { ...comedyBrand, name: 'Another Name' } };
    expect(firstScreen(named)).toContain('Another');
    const refused = { boot: comedyBrand, address: '/join', problem: 'No such number.', msisdn: '812345678' };
    expect(firstScreen(refused)).toContain('812345678');
    expect([firstScreen(comedy), firstScreen(meme)]).toEqual(alone);
    expect(alone.join()).not.toMatch(/Another|812345678/);
    expect(firstScreen({ boot: comedyBrand, address: '/join' })).not.toMatch(/812345678|No such number/);
  });

  test('a failed rendering does not change the next one', async () => {
    const broken = { boot: comedyBrand, address: '/', replies: { [ARTISTS]: [null] } };
    expect(() => firstScreen(broken)).toThrow();
    expect(firstScreen({ boot: memeBrand, address: '/terms' })).toContain('MEMEWORLD');
  });

  const ARTISTS = '/api/madfunny/fetchArtist?service=MC%20Funny';

  test('memory does not grow with the number of renderings', async () => {
    const input = await inputFor(comedyBrand, views[0] as never);
    const used = (): number => {
      const usage = context.runtime.computeMemoryUsage();
      const { memory_used_size } = context.dump(usage);
      usage.dispose();
      return memory_used_size;
    };
    let place = 0;
    /** The least memory in use during the renderings, which is right after a garbage collection. */
    const leftOf = (drawings: number) =>
      Math.min(
        ...Array.from({ length: drawings }, () => {
          place += 1;
          const boot = { ...input.boot, name: `Name ${place}` };
          firstScreen({ ...input, boot, address: `/?ext_ref=${place}` });
          return used();
        }),
      );
    const before = leftOf(100);
    expect(leftOf(100) - before).toBeLessThan(20_000);
  });

  test('the number of an address is not in the markup', async () => {
    const input = await inputFor({ ...comedyBrand, session: false }, views[0] as never);
    const address = '/redirect?service=MC%20Funny&msisdn=27812345678&result=active';
    const markup = firstScreen({ ...input, address });
    expect(markup).toContain('Confirm it&#x27;s you');
    expect(markup).not.toContain('812345678');

    const complaints = hydrate({ ...input, address }, markup);
    await isHydrated();
    expect(complaints).toEqual([]);
    expect(root.querySelector('.logo')?.getAttribute('href')).toContain('msisdn=27812345678');
  });

  test('values of session storage follow after hydration', async () => {
    sessionStorage.setItem('spaza.msisdn', '27812345678');
    sessionStorage.setItem('spaza.result', 'active');
    const input = await inputFor({ ...comedyBrand, session: false }, views[0] as never);
    const complaints = hydrate(input, firstScreen(input));
    await isHydrated();
    expect(complaints).toEqual([]);
    expect(root.textContent).toContain("Confirm it's you");
  });

  test('text of a service is escaped', () => {
    const artist = '</script><img src=x onerror=alert(1)>';
    const replies = {
      [ARTISTS]: [{ id: 1, artist, name: artist, artist_img_url: 'javascript:"x', description: artist }],
    };
    const markup = firstScreen({ boot: comedyBrand, address: '/', replies });
    expect(markup).toContain('&lt;img');
    expect(markup).not.toContain('<img src=x');
    expect(markup).not.toContain('</script');
  });
});

test.each([
  ['zu', zulu, 'JOYINA'],
  ['st', sesotho, 'KENA'],
])('%s: a page is rendered and hydrated in its language', async (language, messages, join) => {
  Object.assign(globalThis, { MESSAGES: messages });
  const input = { boot: { ...ttBrand, session: false }, address: '/ttlogin', language };
  const markup = firstScreen(input);
  expect(markup).toContain(`>${join}</button>`);
  expect(markup).toContain(`<option value="${language}" lang="${language}" selected="">`);
  expect(hydrate(input, markup)).toEqual([]);
  await isHydrated();
  expect(document.title).toBe(
    `${String(messages.lang === 'zu' ? 'Joyina i-' : 'Kena ho ')}TTMbha TV · TTMbha TV`,
  );
  // A language that the build does not have is English.
  expect(firstScreen({ ...input, language: 'fr' })).toContain('>JOIN</button>');
});

test('a text of the catalogue that is not in the page’s language names its own', () => {
  const row = ttRow(1, 2);
  const [first, second] = row.videos;
  const translated = { ...first, name: 'Okokuqala', name_lang: 'zu' };
  const replies = {
    '/api/tt/getcatvideos/ttmbhatv': [{ ...row, videos: [translated, second] }],
    '/api/tt/banners/ttmbhatv': [ttBanner(1, null)],
  };
  const input = { boot: ttBrand, address: '/ttredirect?service=ttmbhatv', replies };
  const inZulu = firstScreen({ ...input, language: 'zu' });
  expect(inZulu).toContain('<span class="video-card-title">Okokuqala</span>');
  expect(inZulu).toContain('<span class="video-card-title" lang="en">Show 2</span>');
  expect(inZulu).toMatch(/<a [^>]*lang="en"[^>]*>Drama<\/a>/);
  expect(inZulu).toMatch(/<img [^>]*lang="en"/);
  const inEnglish = firstScreen({ ...input, language: 'en' });
  expect(inEnglish).toContain('<span class="video-card-title" lang="zu">Okokuqala</span>');
  expect(inEnglish).toContain('<span class="video-card-title">Show 2</span>');
});

describe.each(readLanguages() as { code: string; name: string; terms: Record<TermsId, string> }[])(
  'the terms on a page in $name',
  ({ code, terms }) => {
    test.each([
      ['/terms', memeBrand],
      ['/ttbhaTerms', ttBrand],
      ['/raceday-terms', racingBrand],
    ])('%s is rendered and hydrated in that language, with /en in English', async (path, boot) => {
      const { default: messages } = await import(`../../languages/${code}.toml`);
      Object.assign(globalThis, { MESSAGES: messages });
      for (const [address, shown, heading] of [
        [path, code, terms.privacy],
        [`${path}/en`, 'en', 'Your personal information'],
      ] as const) {
        document.title = '';
        const input = { boot: { ...boot, session: false }, address, language: code };
        const markup = firstScreen(input);
        expect(markup).toContain(`<article lang="${shown}">`);
        expect(markup).toContain(`<!-- -->. <!-- -->${heading}</h2>`);
        // The whole text, before any script: its last sentence, too.
        expect(markup).toContain('(WASPA)');
        // Awaited, because the page suspends while it fetches its text.
        const complaints = await act(async () => hydrate(input, markup));
        await isHydrated();
        expect(complaints).toEqual([]);
        expect(root.querySelector('article')?.getAttribute('lang')).toBe(shown);
        cleanup();
      }
    });
  },
);

test('links on the demo host repeat the domain parameter', async () => {
  const input = { boot: memeBrand, address: '/memelogin?domain=memeworld', domain: 'memeworld' };
  const markup = firstScreen(input);
  const complaints = hydrate(input, markup, '88.localhost');
  await isHydrated();
  expect(complaints).toEqual([]);
  expect(root.querySelector('main form')?.getAttribute('action')).toBe('/join?domain=memeworld');
  expect(markup).toContain('href="/terms?domain=memeworld"');
});

describe('the join form', () => {
  test('sends the number, the consent and the referrer without scripts', () => {
    root.innerHTML = firstScreen({ boot: comedyBrand, address: '/login?ext_ref=ad%207&x=%ff' });
    const form = root.querySelector('main form') as HTMLFormElement;
    expect([form.getAttribute('method'), form.getAttribute('action')]).toEqual([
      'post',
      '/join?ext_ref=ad%207',
    ]);
    const sent = [...form.querySelectorAll('[name]')].map(each => each.getAttribute('name'));
    // No person sees the homepage's field: only programs fill it in.
    expect(form.querySelector('[name=homepage]')?.closest('label')).toHaveAttribute('hidden');
    expect(sent.sort()).toEqual(['agree', 'ext_ref', 'homepage', 'msisdn', 'shown']);
    expect(form.querySelector('[name=ext_ref]')?.getAttribute('value')).toBe('ad 7');
  });

  test.each([
    [comedyBrand, '+27 81-2', '+27 81-2'],
    [memeBrand, '+27 81-2', '27812'],
  ])('what is typed before hydration stays in the field: $name', async (boot, typed, kept) => {
    const input = { boot, address: '/join', problem: 'That is no number.', msisdn: '12' };
    const markup = firstScreen(input);
    visit('/join');
    serveBrand(boot);
    root.innerHTML = markup;
    // The gateway writes the form's state beside its markup.
    const state = document.head.appendChild(document.createElement('script'));
    Object.assign(state, { id: 'form', type: 'application/json' });
    state.textContent = JSON.stringify({ problem: input.problem });
    const field = root.querySelector('input[name=msisdn]') as HTMLInputElement;
    expect(field.value).toBe('12');
    expect(root.querySelector('[role=alert]')?.textContent).toBe('That is no number.');
    field.focus();
    field.value = typed;
    const complaints: unknown[] = [];
    render(
      <BrowserRouter>
        <App />
      </BrowserRouter>,
      { container: root, hydrate: true, onRecoverableError: error => complaints.push(error) },
    );
    await isHydrated();
    expect(complaints).toEqual([]);
    expect(root.querySelector('input[name=msisdn]')).toBe(field);
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe(kept);
    expect(root.querySelector('[role=alert]')?.textContent).toBe('That is no number.');
  });
});

describe('the look', () => {
  test('equals the browser’s styles for the same boot data', () => {
    for (const boot of BRANDS) {
      serveBrand(boot);
      const element = document.createElement('html');
      applyTheme(element);
      const { css, face, tone } = firstLook(boot);
      expect({ face, tone }).toEqual({ ...element.dataset });
      const colours = [...css.matchAll(/--([\w-]+):([^;}]+)/g)].map(([, name, value]) => [name, value]);
      expect(colours.length).toBe(Object.keys(boot.theme).length);
      for (const [name, value] of colours) expect(element.style.getPropertyValue(`--${name}`)).toBe(value);
    }
  });

  test('contains only valid colour values', () => {
    const theme = { background: '#fff', accent: 'red}</style><script>', 'x}y': '#000' };
    expect(firstLook({ ...comedyBrand, theme }).css).toBe(':root{--background:#fff}');
  });
});
