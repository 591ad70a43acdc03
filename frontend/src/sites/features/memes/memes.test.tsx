import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { memeBrand } from '../../../dev/brands';
import { meme, memeDetail, session } from '../../../dev/fixtures';
import { openPage } from '../../../dev/render';
import { problem, server, signedIn } from '../../../dev/server';

const HOME = '/redirectTo?service=memeworld&msisdn=27812345678&result=active';
const like = () => screen.findByRole('button', { name: /^Like Meme 1, \d+$/ });

describe('the meme home', () => {
  test('shows only memes with an https picture', async () => {
    openPage(HOME, memeBrand);
    await like();
    expect(screen.queryByText('Meme 2')).not.toBeInTheDocument();
    expect(
      screen.getByText('Welcome to Meme World, the best and quickest way to boost your social media game!'),
    ).toBeInTheDocument();
    expect(screen.getByText('Click on a meme to get started now!')).toBeInTheDocument();
  });

  test('likes and unlikes in turn', async () => {
    const sent: unknown[] = [];
    let liked: number[] = [];
    server.use(
      signedIn(),
      http.get('*/api/meme/mine', () => HttpResponse.json({ liked })),
      http.post('*/api/meme/postlike', async ({ request }) => {
        sent.push(await request.json());
        liked = [1];
        return HttpResponse.json({ id: 1, liked: true, likes: 5 });
      }),
      http.delete('*/api/meme/unlike', async ({ request }) => {
        sent.push(await request.json());
        liked = [];
        return HttpResponse.json({ id: 1, liked: false, likes: 4 });
      }),
    );
    const { user } = openPage(HOME, memeBrand);
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'true'));
    expect(await like()).toHaveTextContent('5');
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'false'));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(sent).toEqual([
      { like: '1', created: time, updated: time, id: 1, ani: '27812345678' },
      { meme_id: 1, ani: '27812345678' },
    ]);
  });

  test('a like is not undone by a reply to an earlier request', async () => {
    let liked: number[] = [];
    let answer: undefined | (() => void);
    server.use(
      signedIn(),
      http.get('*/api/meme/mine', async () => {
        const before = liked;
        if (!answer)
          await new Promise<void>(resolve => {
            answer = resolve;
          });
        return HttpResponse.json({ liked: before });
      }),
      http.post('*/api/meme/postlike', () => {
        liked = [1];
        return HttpResponse.json({ id: 1, liked: true, likes: 5 });
      }),
    );
    const { user } = openPage(HOME, memeBrand);
    await waitFor(() => expect(answer).toBeDefined());
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'true'));
    answer?.();
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(await like()).toHaveAttribute('aria-pressed', 'true');
  });

  test('a like before the session has loaded keeps the earlier likes', async () => {
    let liked = [3];
    let answer = () => {};
    const asked = new Promise<void>(resolve => {
      answer = resolve;
    });
    server.use(
      http.get('*/api/subscribe/me', async () => {
        await asked;
        return HttpResponse.json(session);
      }),
      http.get('*/api/meme/random', () => HttpResponse.json([meme(1), meme(3)])),
      http.get('*/api/meme/mine', () => HttpResponse.json({ liked })),
      http.post('*/api/meme/postlike', () => {
        liked = [3, 1];
        return HttpResponse.json({ id: 1, liked: true, likes: 5 });
      }),
    );
    const { user } = openPage(HOME, memeBrand);
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'true'));
    answer();
    const earlier = screen.getByRole('button', { name: /^Like Meme 3, / });
    await waitFor(() => expect(earlier).toHaveAttribute('aria-pressed', 'true'));
    expect(await like()).toHaveAttribute('aria-pressed', 'true');
  });

  test('a failed like changes nothing', async () => {
    server.use(
      signedIn(),
      http.post('*/api/meme/postlike', () => problem(503, 'Down')),
    );
    const { user } = openPage(HOME, memeBrand);
    await user.click(await like());
    await waitFor(() => expect(console.info).toHaveBeenCalledWith('Like not saved', expect.anything()));
    expect(await like()).toHaveAttribute('aria-pressed', 'false');
  });

  test('a like is shown at once, and undone if the call fails', async () => {
    let fail = () => {};
    const failed = new Promise<void>(resolve => {
      fail = resolve;
    });
    server.use(
      signedIn(),
      http.get('*/api/meme/mine', () => HttpResponse.json({ liked: [3] })),
      http.post('*/api/meme/postlike', async () => {
        await failed;
        return problem(503, 'Down');
      }),
    );
    const { user } = openPage(HOME, memeBrand);
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'true'));
    fail();
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'false'));
    expect(console.info).toHaveBeenCalledWith('Like not saved', expect.anything());
  });

  test('a tap while an earlier one is being saved is shown at once, and saved after it', async () => {
    const calls: string[] = [];
    let liked: number[] = [];
    let answer = () => {};
    const answered = new Promise<void>(resolve => {
      answer = resolve;
    });
    server.use(
      signedIn(),
      http.get('*/api/meme/mine', () => HttpResponse.json({ liked })),
      http.post('*/api/meme/postlike', async () => {
        calls.push('like');
        await answered;
        liked = [1];
        return HttpResponse.json({ id: 1, liked: true, likes: 5 });
      }),
      http.delete('*/api/meme/unlike', () => {
        calls.push('unlike');
        liked = [];
        return HttpResponse.json({ id: 1, liked: false, likes: 4 });
      }),
    );
    const { user } = openPage(HOME, memeBrand);
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'true'));
    await waitFor(() => expect(calls).toEqual(['like']));
    await user.click(await like());
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'false'));
    expect(calls).toEqual(['like']);
    answer();
    await waitFor(() => expect(calls).toEqual(['like', 'unlike']));
    await waitFor(async () => expect(await like()).toHaveTextContent('4'));
    expect(await like()).toHaveAttribute('aria-pressed', 'false');
  });

  test('a like without a session offers to join or to confirm the number, and sends nothing', async () => {
    for (const [address, offers] of [
      ['/', 'Join MEMEWORLD to like'],
      [HOME, "Confirm it's you to like"],
    ] as const) {
      const { user } = openPage(address, memeBrand);
      await screen.findByRole('complementary');
      await user.click(await like());
      expect(await screen.findByRole('heading', { name: offers })).toBeInTheDocument();
      await user.click(screen.getByRole('button', { name: 'Not now' }));
      expect(screen.queryByRole('heading', { name: offers })).not.toBeInTheDocument();
      expect(await like()).toHaveAttribute('aria-pressed', 'false');
      cleanup();
    }
  });

  test('a like from an earlier visit is shown', async () => {
    server.use(
      signedIn(),
      http.get('*/api/meme/mine', () => HttpResponse.json({ liked: [1] })),
    );
    openPage(HOME, memeBrand);
    await waitFor(async () => expect(await like()).toHaveAttribute('aria-pressed', 'true'));
  });

  test('its flag is always 1', async () => {
    openPage('/', memeBrand);
    const links = await screen.findAllByRole('link', { name: 'Kasi life', hidden: true });
    for (const link of links) expect(link).toHaveAttribute('href', '/memeCategory/1/7/memeworld');
  });
});

describe('a meme category', () => {
  test('has a heading in capitals, dates, and a badge that says 1 or 0', async () => {
    openPage('/memeCategory/1/7/memeworld', memeBrand);
    expect(await screen.findByRole('heading', { name: 'KASI LIFE' })).toBeInTheDocument();
    expect(screen.getByText('5 MARCH, 2024')).toBeInTheDocument();
    expect(await like()).toHaveTextContent('0');
  });

  test('an empty category shows a message', async () => {
    server.use(
      http.get('*/api/meme/getMemeValue/:id', () =>
        HttpResponse.json({
          memeData: [meme(2, { image: 'http://old.example/2.webp' })],
          categoryName: 'Empty',
        }),
      ),
    );
    openPage('/memeCategory/1/7/memeworld', memeBrand);
    expect(await screen.findByText('There is no meme in this category!')).toBeInTheDocument();
  });

  test('without subscription a like or a category opens the operator in a new tab', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const { user, address } = openPage('/memeCategory/0/7/memeworld', memeBrand);
    await user.click(await like());
    expect(open).toHaveBeenCalledWith(
      expect.stringMatching(/^\/api\/subscribe\/opt-in\?svc_id=\d+&page=%2FmemeCategory%2F1%2F/),
      '_blank',
      'noopener',
    );
    await user.click(screen.getByRole('button', { name: 'CATEGORIES' }));
    await user.click(await screen.findByRole('link', { name: 'Kasi life' }));
    expect(open).toHaveBeenCalledTimes(2);
    expect(address()).toBe('/memeCategory/0/7/memeworld');
  });
});

test('the search lists memes', async () => {
  openPage('/search?q=meme%201', memeBrand);
  expect(await screen.findByText('1 found')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Open Meme 1' })).toBeInTheDocument();
});

test('a like in search results changes the count at once', async () => {
  server.use(
    signedIn(),
    http.post('*/api/meme/postlike', () => HttpResponse.json({ id: 1, liked: true, likes: 5 })),
  );
  const { user } = openPage('/search?q=meme', memeBrand);
  expect(await like()).toHaveTextContent('4');
  await user.click(await like());
  await waitFor(async () => expect(await like()).toHaveTextContent('5'));
});

test.each([HOME, '/search?q=meme'])('a meme is shared by its address in its category: %s', async page => {
  const shared = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share: shared }));
  const { user } = openPage(page, memeBrand);
  await user.click(await screen.findByRole('button', { name: 'Share Meme 1' }));
  await waitFor(() => expect(shared).toHaveBeenCalled());
  expect(shared).toHaveBeenCalledWith({
    title: 'Meme 1',
    url: 'http://mcfunny.localhost:8080/memeCategory/1/7/memeworld?after=0&meme=1',
  });
});

test('a phone that takes files gets the picture itself', async () => {
  const shared = vi.fn((_: { files?: File[] }) => Promise.resolve());
  const phone = { share: shared, canShare: () => true };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), phone));
  server.use(
    http.get('*/img/*', () => new HttpResponse('picture', { headers: { 'content-type': 'image/webp' } })),
  );
  const { user } = openPage(HOME, memeBrand);
  await user.click(await screen.findByRole('button', { name: 'Share Meme 1' }));
  await waitFor(() => expect(shared).toHaveBeenCalled());
  const [file] = shared.mock.lastCall?.[0].files ?? [];
  expect([file?.name, file?.type]).toEqual(['Meme-1.webp', 'image/webp']);
});

describe('one meme', () => {
  const LIST = '/memeCategory/1/7/memeworld';
  const memes = () =>
    http.get('*/api/meme/getMemeValue/:id', () => HttpResponse.json(memeDetail([meme(1), meme(3)])));
  const viewer = (name: string) => screen.findByRole('dialog', { name });
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360);
  });

  test('has an address while it is open, and the arrow keys lead to the next', async () => {
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    server.use(memes());
    const { user, address } = openPage(LIST, memeBrand);
    await user.click(await screen.findByRole('button', { name: 'Open Meme 1' }));
    await viewer('Meme 1');
    expect(address()).toBe(`${LIST}?after=0&meme=1`);
    fireEvent.keyDown(await viewer('Meme 1'), { key: 'ArrowRight' });
    await viewer('Meme 3');
    expect(address()).toBe(`${LIST}?after=2&meme=3`);
    fireEvent.keyDown(await viewer('Meme 3'), { key: 'ArrowRight' });
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(address()).toBe(LIST);
  });

  test('is opened by a link that names it, wherever in the list it stands, and closes to the list', async () => {
    server.use(
      http.get('*/api/meme/getMemeValue/:id', ({ request }) =>
        HttpResponse.json(
          memeDetail(
            new URL(request.url).searchParams.get('after') === '89'
              ? [meme(90), meme(91)]
              : [meme(1), meme(3)],
          ),
        ),
      ),
    );
    const { user, address } = openPage(`${LIST}?after=89&meme=90`, memeBrand);
    await viewer('Meme 90');
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    fireEvent.keyDown(await viewer('Meme 90'), { key: 'ArrowRight' });
    await viewer('Meme 91');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(address()).toBe(LIST));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('that is not there any more leaves the list as it is', async () => {
    server.use(memes());
    openPage(`${LIST}?after=76&meme=77`, memeBrand);
    await like();
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Open Meme/ })).toHaveLength(2));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('of the home has an address, too', async () => {
    server.use(http.get('*/api/meme/random', () => HttpResponse.json([meme(1), meme(3)])));
    const { user, address } = openPage('/', memeBrand);
    await user.click(await screen.findByRole('button', { name: 'Open Meme 3' }));
    await viewer('Meme 3');
    expect(address()).toBe('/?meme=3');
  });

  test('that is near the end of the list loads the next page', async () => {
    const list = Array.from({ length: 10 }, (_, place) => meme(place + 1));
    server.use(
      http.get('*/api/meme/getMemeValue/:id', ({ request }) =>
        new URL(request.url).searchParams.get('after') === '10'
          ? HttpResponse.json(memeDetail([meme(11)]))
          : HttpResponse.json(memeDetail(list), {
              headers: { link: '</api/meme/getMemeValue/7?after=10>; rel="next"' },
            }),
      ),
    );
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    const { user } = openPage(LIST, memeBrand);
    await user.click(await screen.findByRole('button', { name: 'Open Meme 10' }));
    await viewer('Meme 10');
    await screen.findByRole('button', { name: 'Next meme' });
    fireEvent.keyDown(await viewer('Meme 10'), { key: 'ArrowRight' });
    await viewer('Meme 11');
    expect(screen.queryByRole('button', { name: 'Next meme' })).not.toBeInTheDocument();
  });

  test('is passed on with its own address from its category', async () => {
    const shared = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share: shared }));
    const { user } = openPage(LIST, memeBrand);
    await user.click(await screen.findByRole('button', { name: 'Share Meme 1' }));
    expect(shared).toHaveBeenCalledWith({
      title: 'Meme 1',
      url: 'http://mcfunny.localhost:8080/memeCategory/1/7/memeworld?after=0&meme=1',
    });
  });
});
