import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { racingBrand, ttBrand } from '../../../dev/brands';
import { captionedTtVideo, session, ttVideo, watchlistItem } from '../../../dev/fixtures';
import { openPage } from '../../../dev/render';
import { callsFromNow, problem, server, signedIn } from '../../../dev/server';
import { preload } from '../../preload';

const mark = (name: 'Like' | 'Watchlist') => screen.findByRole('button', { name });

function stubAlert() {
  const alert = vi.fn();
  vi.stubGlobal('alert', alert);
  return alert;
}

describe('the video-on-demand home', () => {
  test('has three banners and a row per category', async () => {
    openPage('/ttredirect?service=ttmbhatv&msisdn=27812345678&result=Active', ttBrand);
    expect(await screen.findByAltText('Banner 3')).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /Show 101/ })).toHaveAttribute(
      'href',
      '/ttsingle/101/ttmbhatv',
    );
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Drama' })).toHaveAttribute(
      'href',
      '/ttcategory/1/ttmbhatv',
    );
  });

  test('has a single banner on the racing site', async () => {
    openPage('/ttredirect', racingBrand);
    expect(await screen.findByAltText('Banner 1')).toBeInTheDocument();
    expect(screen.queryByAltText('Banner 2')).not.toBeInTheDocument();
  });

  test('without a subscription a category opens the operator’s page', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user, address } = openPage('/', ttBrand);
    await user.click((await screen.findAllByRole('link', { name: 'Drama' }))[0] as HTMLElement);
    expect(open).toHaveBeenCalledWith(
      expect.stringMatching(/^\/api\/subscribe\/opt-in\?svc_id=\d+&page=%2Ftt(single|category)%2F/),
      '_blank',
      'noopener',
    );
    expect(address()).toBe('/');
  });
});

describe('a single video', () => {
  const PAGE = '/ttsingle/101/ttmbhatv?msisdn=27812345678&result=active';

  test('shows the category and a fixed count of views', async () => {
    openPage(PAGE, ttBrand);
    expect(await screen.findByText('Views (0)')).toBeInTheDocument();
    expect(screen.getByText('Drama', { selector: '.tag' })).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /Show 102/ })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Related Videos' })).toBeInTheDocument();
  });

  test.each([
    ['a category', '/ttcategory/1/ttmbhatv', 'Views (0)'],
    ['the home', '/ttredirect?service=ttmbhatv&msisdn=27812345678&result=Active', 'Show 101'],
  ])('shows what %s has of it before its own reply', async (_, list, known) => {
    server.use(
      http.get('*/api/tt/ttsinglevideo/:id', async () => {
        await delay('infinite');
      }),
    );
    const { user } = openPage(list, ttBrand);
    await user.click((await screen.findAllByRole('link', { name: /Show 101/ }))[0] as HTMLElement);
    expect(await screen.findByRole('heading', { level: 1, name: 'Show 101' })).toBeInTheDocument();
    expect(screen.getAllByText(known)[0]).toBeInTheDocument();
  });

  test('a touch of its link fetches all that its page shows', async () => {
    const { user } = openPage('/ttcategory/1/ttmbhatv', ttBrand);
    const link = await screen.findByRole('link', { name: /Show 101/ });
    const calls = callsFromNow();
    preload('/ttsingle/101/ttmbhatv');
    const related = `/api/tt/ttrelated/${ttVideo(101).status}`;
    await waitFor(() => expect(calls).toEqual(['/api/tt/ttsinglevideo/101', related]));
    await user.click(link);
    expect(await screen.findByRole('link', { name: /Show 102/ })).toBeInTheDocument();
    expect(calls.filter(path => path === related)).toHaveLength(1);
  });

  test('has a captions track, English by default', async () => {
    server.use(
      signedIn(),
      http.get('*/api/tt/ttsinglevideo/:id', () => HttpResponse.json(captionedTtVideo(101))),
    );
    openPage(PAGE, ttBrand);
    const track = (await screen.findByLabelText('Show 101')).querySelector('track');
    expect(track).toHaveAttribute('src', '/media/ttmbhatv/show-101.vtt');
    expect(track).toHaveAttribute('srclang', 'en');
    expect(track).toHaveAttribute('label', 'English');
  });

  test('likes a video and adds it to the watchlist', async () => {
    const sent: unknown[] = [];
    const mine: { liked: number[]; watchlist: number[] } = { liked: [], watchlist: [] };
    server.use(
      signedIn(),
      http.get('*/api/tt/mine/:service', () => HttpResponse.json(mine)),
      http.post('*/api/tt/:call', async ({ request, params }) => {
        sent.push([params.call, await request.json()]);
        mine[params.call === 'likevideo' ? 'liked' : 'watchlist'] = [101];
        return HttpResponse.json({});
      }),
    );
    const { user } = openPage(PAGE, ttBrand);
    await user.click(await mark('Like'));
    await waitFor(async () => expect(await mark('Like')).toHaveAttribute('aria-pressed', 'true'));
    await user.click(await mark('Watchlist'));
    await waitFor(async () => expect(await mark('Watchlist')).toHaveAttribute('aria-pressed', 'true'));
    expect(sent).toEqual([
      [
        'likevideo',
        {
          videoid: 101,
          ani: '27812345678',
          status: '1',
          servicename: 'ttmbhatv',
          created: expect.stringMatching(/^\d{4}-/),
        },
      ],
      ['ttaddwatchlist', { ani: '27812345678', videoid: 101, service: 'ttmbhatv', name: 'Show 101' }],
    ]);
  });

  test('a like before the session has loaded keeps the earlier state', async () => {
    const mine: { liked: number[]; watchlist: number[] } = { liked: [], watchlist: [101] };
    let answer = () => {};
    const requested = new Promise<void>(resolve => {
      answer = resolve;
    });
    server.use(
      http.get('*/api/subscribe/me', async () => {
        await requested;
        return HttpResponse.json(session);
      }),
      http.get('*/api/tt/mine/:service', () => HttpResponse.json(mine)),
      http.post('*/api/tt/likevideo', () => {
        mine.liked = [101];
        return HttpResponse.json({});
      }),
    );
    const { user } = openPage(PAGE, ttBrand);
    await user.click(await mark('Like'));
    await waitFor(async () => expect(await mark('Like')).toHaveAttribute('aria-pressed', 'true'));
    answer();
    await waitFor(async () => expect(await mark('Watchlist')).toHaveAttribute('aria-pressed', 'true'));
    expect(await mark('Like')).toHaveAttribute('aria-pressed', 'true');
  });

  test.each(['Like', 'Watchlist'] as const)('a failed removal shows an alert: %s', async name => {
    const alert = stubAlert();
    server.use(
      signedIn(),
      http.get('*/api/tt/mine/:service', () => HttpResponse.json({ liked: [101], watchlist: [101] })),
      http.delete('*/api/tt/:call', () => problem(503, 'Down')),
    );
    const { user } = openPage(PAGE, ttBrand);
    await waitFor(async () => expect(await mark(name)).toHaveAttribute('aria-pressed', 'true'));
    await user.click(await mark(name));
    await waitFor(() => expect(alert).toHaveBeenCalledWith('Failed to remove video. Please try again.'));
    expect(await mark(name)).toHaveAttribute('aria-pressed', 'true');
  });

  test('a change is shown at once, and undone if the call fails', async () => {
    let fail = () => {};
    const failed = new Promise<void>(resolve => {
      fail = resolve;
    });
    server.use(
      signedIn(),
      http.post('*/api/tt/ttaddwatchlist', async () => {
        await failed;
        return problem(503, 'Down');
      }),
    );
    const { user } = openPage(PAGE, ttBrand);
    await user.click(await mark('Watchlist'));
    await waitFor(async () => expect(await mark('Watchlist')).toHaveAttribute('aria-pressed', 'true'));
    fail();
    await waitFor(async () => expect(await mark('Watchlist')).toHaveAttribute('aria-pressed', 'false'));
    expect(console.info).toHaveBeenCalledWith('Not saved', 'watchlist', expect.anything());
  });

  test('a tap while an earlier one is being saved is shown at once, and saved after it', async () => {
    const calls: string[] = [];
    const mine: { liked: number[]; watchlist: number[] } = { liked: [], watchlist: [] };
    let answer = () => {};
    const answered = new Promise<void>(resolve => {
      answer = resolve;
    });
    server.use(
      signedIn(),
      http.get('*/api/tt/mine/:service', () => HttpResponse.json(mine)),
      http.post('*/api/tt/likevideo', async () => {
        calls.push('like');
        await answered;
        mine.liked = [101];
        return HttpResponse.json({});
      }),
      http.delete('*/api/tt/unlikevideo', () => {
        calls.push('unlike');
        mine.liked = [];
        return HttpResponse.json({});
      }),
    );
    const { user } = openPage(PAGE, ttBrand);
    await user.click(await mark('Like'));
    await waitFor(async () => expect(await mark('Like')).toHaveAttribute('aria-pressed', 'true'));
    await waitFor(() => expect(calls).toEqual(['like']));
    await user.click(await mark('Like'));
    await waitFor(async () => expect(await mark('Like')).toHaveAttribute('aria-pressed', 'false'));
    expect(calls).toEqual(['like']);
    answer();
    await waitFor(() => expect(calls).toEqual(['like', 'unlike']));
    expect(await mark('Like')).toHaveAttribute('aria-pressed', 'false');
  });

  test('a failed like shows no alert', async () => {
    const alert = stubAlert();
    server.use(
      signedIn(),
      http.post('*/api/tt/likevideo', () => problem(503, 'Down')),
    );
    const { user } = openPage(PAGE, ttBrand);
    await user.click(await mark('Like'));
    await waitFor(() => expect(console.info).toHaveBeenCalledWith('Not saved', 'liked', expect.anything()));
    expect(alert).not.toHaveBeenCalled();
    expect(await mark('Like')).toHaveAttribute('aria-pressed', 'false');
  });

  test('sends the number of an address with ani', async () => {
    let sent: unknown;
    server.use(
      signedIn(),
      http.post('*/api/tt/likevideo', async ({ request }) => {
        sent = await request.json();
        return HttpResponse.json({});
      }),
    );
    const { user } = openPage('/ttsingle/101/ttmbhatv/27899999999', ttBrand);
    await waitFor(() => expect(screen.queryByRole('link', { name: 'JOIN' })).not.toBeInTheDocument());
    await user.click(await mark('Like'));
    await waitFor(() => expect(sent).toMatchObject({ ani: '27899999999' }));
  });
});

test('the watchlist menu leads to its videos', async () => {
  server.use(
    signedIn(),
    http.get('*/api/tt/getTTWatchlist/:service', () => HttpResponse.json([watchlistItem(102)])),
  );
  const { user } = openPage('/ttcategory/1/ttmbhatv', ttBrand);
  await user.click(await screen.findByRole('button', { name: 'WATCHLIST' }));
  expect(await screen.findByRole('link', { name: 'Kept 102' })).toHaveAttribute(
    'href',
    '/ttsingle/102/ttmbhatv',
  );
});

test('a category page has its title and videos', async () => {
  openPage('/ttcategory/1/ttmbhatv', ttBrand);
  expect(await screen.findByRole('heading', { level: 1, name: 'Drama' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /Show 101/ })).toHaveAttribute('href', '/ttsingle/101/ttmbhatv');
});

test('the search lists videos by title and category', async () => {
  openPage('/search?q=drama%20102', ttBrand);
  expect(await screen.findByText('1 found')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: /Show 102/ })).toHaveAttribute('href', '/ttsingle/102/ttmbhatv');
});

test('a stream shows its quality menu before it plays, and the choice is stored, but not that of the sound alone', async () => {
  server.use(
    signedIn(),
    http.head(
      '*/media/ttmbhatv/show-101/sound.m4a',
      () => new HttpResponse(null, { headers: { 'content-length': '1440000' } }),
    ),
    http.get('*/api/tt/ttsinglevideo/:id', () =>
      HttpResponse.json({ ...ttVideo(101), vurl: '/media/ttmbhatv/show-101/main.m3u8' }),
    ),
  );
  const { user } = openPage('/ttsingle/101/ttmbhatv', ttBrand);
  await user.click(await screen.findByRole('button', { name: 'Video settings' }));
  const quality = screen.getByRole('combobox', { name: 'Quality' });
  expect(quality).toHaveValue('auto');
  await user.selectOptions(quality, 'Save data');
  expect(quality).toHaveValue('low');
  expect(localStorage.getItem('spaza.quality')).toBe('low');
  await screen.findByRole('option', { name: 'Sound only (1.4 MB)' });
  await user.selectOptions(quality, 'sound');
  expect(quality).toHaveValue('sound');
  expect(localStorage.getItem('spaza.quality')).toBe('low');
});

test('price, age limit and how to stop are beside JOIN', async () => {
  openPage('/', ttBrand);
  const bar = await screen.findByRole('complementary', { name: 'Join' });
  expect(bar).toHaveTextContent('R3/day · 18+ · how to stop');
  expect(within(bar).getByRole('link', { name: 'JOIN' })).toHaveAttribute('href', '/ttlogin');
});

describe('the watchlist page', () => {
  const ITEMS = [102, 101, 103].map(watchlistItem);
  const kept = () => http.get('*/api/tt/getTTWatchlist/:service', () => HttpResponse.json(ITEMS));
  const names = () => screen.getAllByRole('link', { name: /^.*Kept \d+/ }).map(each => each.textContent);
  const remove = (id: number) =>
    screen.findByRole('button', { name: `Remove Kept ${id} from the watchlist` });

  test('draws its cards from the list alone', async () => {
    const asked: string[] = [];
    server.use(
      signedIn(),
      kept(),
      http.get('*/api/tt/ttsinglevideo/:id', ({ params }) => {
        asked.push(String(params.id));
        return problem(503, 'Down');
      }),
    );
    openPage('/watchlist', ttBrand);
    const main = within(await screen.findByRole('main'));
    const card = await main.findByRole('link', { name: /Kept 101/ });
    expect(card).toHaveAttribute('href', '/ttsingle/101/ttmbhatv');
    expect(card).toHaveTextContent(/1:01.*Kept 101.*Studio 101/);
    expect(card.querySelector('img')?.src).toContain('kept-101');
    expect(asked).toEqual([]);
  });

  test('removes a video at once and undoes it at its place', async () => {
    const sent: string[] = [];
    server.use(
      signedIn(),
      kept(),
      http.delete('*/api/tt/ttremove', async ({ request }) => {
        sent.push(`remove ${((await request.json()) as { videoid: number }).videoid}`);
        return HttpResponse.json({ videoid: 101, watchlisted: false });
      }),
      http.post('*/api/tt/ttaddwatchlist', async ({ request }) => {
        sent.push(`add ${((await request.json()) as { videoid: number }).videoid}`);
        return HttpResponse.json({ videoid: 101, watchlisted: true });
      }),
    );
    const { user } = openPage('/watchlist', ttBrand);
    await user.click(await remove(101));
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: /^Remove Kept 101/ })).not.toBeInTheDocument(),
    );
    const undo = await screen.findByRole('button', { name: 'Undo' });
    expect(undo).toHaveFocus();
    await user.click(undo);
    await remove(101);
    const places = screen.getAllByRole('button', { name: /^Remove Kept/ });
    expect(places.map(each => each.getAttribute('aria-label')?.split(' ')[2])).toEqual(['102', '101', '103']);
    expect(names()).not.toEqual([]);
    await waitFor(() => expect(sent).toEqual(['remove 101', 'add 101']));
  });

  test('tells a failed removal and shows the video again', async () => {
    const alert = stubAlert();
    server.use(
      signedIn(),
      kept(),
      http.delete('*/api/tt/ttremove', () => problem(503, 'Down')),
    );
    const { user } = openPage('/watchlist', ttBrand);
    await user.click(await remove(101));
    await waitFor(() => expect(alert).toHaveBeenCalledWith('Failed to remove video. Please try again.'));
    await remove(101);
  });

  test('goes on by Link, and Undo puts a video of the second page back at its place', async () => {
    const asked: string[] = [];
    const path = '/api/tt/getTTWatchlist/ttmbhatv';
    server.use(
      signedIn(),
      http.get('*/api/tt/getTTWatchlist/:service', ({ request }) => {
        const after = new URL(request.url).searchParams.get('after');
        asked.push(String(after));
        return after
          ? HttpResponse.json([104, 105, 106].map(watchlistItem))
          : HttpResponse.json(ITEMS, {
              headers: { link: `<${path}?limit=3&after=1772735400-103>; rel="next"` },
            });
      }),
      http.delete('*/api/tt/ttremove', () => HttpResponse.json({ videoid: 105, watchlisted: false })),
      http.post('*/api/tt/ttaddwatchlist', () => HttpResponse.json({ videoid: 105, watchlisted: true })),
    );
    const { user } = openPage('/watchlist', ttBrand);
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await user.click(await remove(105));
    const ids = () =>
      screen
        .getAllByRole('button', { name: /^Remove Kept/ })
        .map(each => each.getAttribute('aria-label')?.split(' ')[2]);
    await waitFor(() => expect(ids()).toEqual(['102', '101', '103', '104', '106']));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(ids()).toEqual(['102', '101', '103', '104', '105', '106']));
    expect(asked).toEqual(['null', '1772735400-103']);
  });

  test('says that it is empty', async () => {
    server.use(signedIn());
    openPage('/watchlist', ttBrand);
    expect(await screen.findByText(/^Your watchlist is empty. Tap/)).toBeInTheDocument();
  });

  test('shows the price and the way in without a session', async () => {
    openPage('/watchlist', ttBrand);
    expect(await screen.findByText(/to keep a watchlist/)).toBeInTheDocument();
    expect(screen.getAllByRole('link', { name: 'JOIN' })[0]).toHaveAttribute(
      'href',
      '/ttlogin?page=%2Fwatchlist',
    );
  });
});
