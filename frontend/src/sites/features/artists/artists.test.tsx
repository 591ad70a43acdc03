import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { footballBrand } from '../../../dev/brands';
import { captionedVideo, video } from '../../../dev/fixtures';
import { openPage } from '../../../dev/render';
import { callsFromNow, problem, server, signedIn } from '../../../dev/server';
import { preload } from '../../preload';

const HOME = '/redirect?service=MC%20Funny&msisdn=27812345678&result=active';
/** Document order is from the bottom card to the front card. */
const cardsOf = () => screen.getAllByRole('article');
const top = () => cardsOf().at(-1);
const icon = () => document.querySelector('.deck-icon');

describe('the comedy deck', () => {
  test('swipes through the first artist, the how-to card and the other artists to the last card', async () => {
    const { user } = openPage(HOME);
    expect(await screen.findByText('HOW TO USE THE SITE:')).toBeInTheDocument();
    const skip = screen.getByRole('button', { name: /^Skip/ });
    expect(cardsOf()[0]).toHaveTextContent('COME BACK FOR MORE CONTENT SOON.');
    expect(cardsOf()[0]).toHaveAttribute('inert');
    expect(top()).toHaveAccessibleName('Sipho Dlamini, Comedian');
    expect(top()).toHaveTextContent('Comedian #1Sipho DlaminiAbout Sipho Dlamini');
    await user.click(skip);
    expect(top()).toHaveAccessibleName('How to use the site');
    await user.click(skip);
    expect(top()).toHaveAccessibleName('Lerato Mokoena, Comedian');
    await user.click(skip);
    expect(top()).toHaveTextContent('COME BACK FOR MORE CONTENT SOON.');
    expect(screen.queryByRole('button', { name: /^Skip/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start again' }));
    expect(top()).toHaveAccessibleName('Sipho Dlamini, Comedian');
    await user.click(screen.getByRole('button', { name: /^Skip/ }));
    expect(top()).toHaveAccessibleName('Lerato Mokoena, Comedian');
  });

  test('keeps its position in the tab, and shows the how-to card until the phone has swiped', async () => {
    const { user } = openPage(HOME);
    const skip = await screen.findByRole('button', { name: /^Skip/ });
    await user.click(skip);
    cleanup();
    openPage(HOME);
    await screen.findAllByRole('article');
    expect(top()).toHaveAccessibleName('How to use the site');
    await user.click(screen.getByRole('button', { name: /^Like/ }));
    cleanup();
    openPage(HOME);
    await screen.findAllByRole('article');
    expect(top()).toHaveAccessibleName('Lerato Mokoena, Comedian');
    cleanup();
    // Another visit begins with an artist whom the phone has not shown, while there is one.
    sessionStorage.clear();
    openPage(HOME);
    await screen.findAllByRole('article');
    expect(top()).toHaveAccessibleName('Lerato Mokoena, Comedian');
    fireEvent.keyDown(window, { key: 'ArrowLeft' });
    cleanup();
    sessionStorage.clear();
    openPage(HOME);
    await screen.findAllByRole('article');
    expect(top()).toHaveAccessibleName('Sipho Dlamini, Comedian');
    expect(screen.queryByText('HOW TO USE THE SITE:')).not.toBeInTheDocument();
  });

  test('each arrow key swipes one card, even in fast sequence', async () => {
    openPage(HOME);
    await screen.findByText('HOW TO USE THE SITE:');
    for (let press = 0; press < 3; press++) {
      fireEvent.keyDown(window, { key: 'ArrowLeft' });
      // Held: the card was dismissed by the press.
      fireEvent.keyDown(window, { key: 'ArrowLeft', repeat: true });
    }
    expect(top()).toHaveTextContent('COME BACK FOR MORE CONTENT SOON.');
    expect(document.querySelectorAll('.deck-icon')).toHaveLength(3);
    await waitFor(() => expect(icon()).toBeNull());
  });

  test('a left swipe shows a cross for a second', async () => {
    openPage(HOME);
    await screen.findByText('HOW TO USE THE SITE:');
    // The browser's shortcut for going back.
    fireEvent.keyDown(window, { key: 'ArrowLeft', altKey: true });
    expect(icon()).toBeNull();
    const start = performance.now();
    fireEvent.keyDown(window, { key: 'ArrowLeft' });
    expect(icon()).toHaveAttribute('data-icon', 'left');
    await waitFor(() => expect(icon()).toBeNull());
    expect(performance.now() - start).toBeGreaterThanOrEqual(950);
  });

  test('a right swipe opens the artist with the visitor’s flag', async () => {
    const { user, address } = openPage('/');
    await user.click(await screen.findByRole('button', { name: /^Like/ }));
    await waitFor(() => expect(address()).toBe('/allvideos/1/MC%20Funny/0'));
  });

  test('Back before the artist’s page is there leaves a deck that goes on', async () => {
    const { user, address } = openPage('/doRedirect', footballBrand);
    await user.click(await screen.findByRole('button', { name: /^Like/ }));
    const skip = screen.getByRole('button', { name: /^Skip/ });
    expect(skip).toBeDisabled();
    fireEvent.popState(window);
    expect(skip).toBeEnabled();
    await user.click(skip);
    expect(top()).toHaveTextContent('COME BACK FOR MORE CONTENT SOON.');
    await new Promise(done => setTimeout(done, 2100));
    expect(address()).toBe('/doRedirect');
  });

  test.each(['far', 'quickly'])('a card dragged %s is swiped, a short drag does nothing', async how => {
    openPage(HOME);
    const card = await screen.findByRole('article', { name: 'Sipho Dlamini, Comedian' });
    const finger = (type: string, clientX: number, timeStamp: number) => {
      const event = new PointerEvent(type, {
        bubbles: true,
        clientX,
        button: 0,
        pointerId: 1,
        isPrimary: true,
      });
      fireEvent(card, Object.defineProperty(event, 'timeStamp', { value: timeStamp }));
    };
    const drag = (distance: number, ms: number) => {
      finger('pointerdown', 100, 1000);
      finger('pointermove', 100 + distance, 1000 + ms);
      finger('pointerup', 100 + distance, 1000 + ms);
    };
    drag(60, 400);
    drag(10, 10);
    expect(icon()).toBeNull();
    if (how === 'far') drag(-100, 400);
    else drag(-60, 60);
    expect(icon()).toHaveAttribute('data-icon', 'left');
    // Who has just dragged a card is not shown how.
    expect(top()).toHaveAccessibleName('Lerato Mokoena, Comedian');
    expect(screen.queryByText('HOW TO USE THE SITE:')).not.toBeInTheDocument();
  });

  test('the menu links every artist with count 1, and home with the visitor', async () => {
    openPage(HOME);
    const menu = within(await screen.findByRole('navigation', { name: 'Main' }));
    expect(await menu.findByRole('link', { name: 'Lerato Mokoena' })).toHaveAttribute(
      'href',
      '/allvideos/2/MC%20Funny/1',
    );
    expect(menu.getByRole('link', { name: 'HOME' })).toHaveAttribute('href', HOME);
  });

  test('the status announces the swiped card and the choice', async () => {
    const { user } = openPage(HOME);
    await user.click(await screen.findByRole('button', { name: 'Skip: next card' }));
    expect(
      screen.getByText('Sipho Dlamini, Comedian: Skip: next card. Now How to use the site'),
    ).toHaveAttribute('role', 'status');
  });

  test('shows the service of the address', async () => {
    let requested = '';
    server.use(
      http.get('*/api/madfunny/fetchArtist', ({ request }) => {
        requested = new URL(request.url).searchParams.get('service') ?? '';
        return HttpResponse.json([]);
      }),
    );
    openPage('/redirect?service=madfunny&msisdn=27812345678&result=active');
    expect(await screen.findByText('COME BACK FOR MORE CONTENT SOON.')).toBeInTheDocument();
    expect(requested).toBe('MC Funny');
  });

  test('a failed list can be retried', async () => {
    server.use(http.get('*/api/madfunny/fetchArtist', () => problem(400, 'Broken')));
    const { user } = openPage(HOME);
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.resetHandlers();
    await user.click(again);
    expect(await screen.findByText('HOW TO USE THE SITE:')).toBeInTheDocument();
  });
});

describe('the football deck', () => {
  test('a right swipe shows a heart and opens the artist with count 1 after two seconds', async () => {
    const { address } = openPage('/doRedirect', footballBrand);
    const like = await screen.findByRole('button', { name: /^Like/ });
    expect(top()).toHaveTextContent('Footballer #1');
    const start = performance.now();
    // Checked synchronously: the heart is shown for a second, which may pass on a busy machine.
    fireEvent.click(like);
    expect(icon()).toHaveAttribute('data-icon', 'right');
    await waitFor(() => expect(address()).toBe('/artistvideos/1/diski99/1'));
    expect(performance.now() - start).toBeGreaterThanOrEqual(1950);
  });
});

describe('the grids', () => {
  const cards = async () => {
    await screen.findByRole('heading', { level: 1, name: /Clip 11/ });
    return screen.getAllByRole('link', { name: /Clip/ }).map(link => link.getAttribute('href'));
  };

  test('comedy: a card opens the video with count 1', async () => {
    openPage('/allvideos/1/MC%20Funny/1');
    expect(await cards()).toEqual(['/video/11/MC%20Funny/1', '/video/12/MC%20Funny/1']);
    expect(screen.getAllByText('5 MARCH, 2024')).toHaveLength(2);
  });

  test('comedy: a card opens the front page without a subscription', async () => {
    openPage('/allvideos/1/MC%20Funny/0');
    expect(await cards()).toEqual(['/', '/']);
  });

  test('comedy: without the last parameter the session decides', async () => {
    server.use(signedIn());
    openPage('/allvideos/1/MC%20Funny');
    await waitFor(async () => expect(await cards()).toContain('/video/11/MC%20Funny/1'));
  });

  test('football: a card opens the video with count 1', async () => {
    openPage('/artistvideos/1/diski99/1', footballBrand);
    expect(await cards()).toEqual(['/diskisingle/11/diski99/1', '/diskisingle/12/diski99/1']);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Clip 11 · Sipho Dlamini');
  });

  test('football: a card opens the join form without a subscription', async () => {
    openPage('/artistvideos/1/diski99/0', footballBrand);
    expect(await cards()).toEqual(['/diskilogin', '/diskilogin']);
  });
});

describe('a single video', () => {
  test('plays for a subscriber, in a loop and without a download button', async () => {
    server.use(signedIn());
    openPage('/video/11/MC%20Funny/1');
    const player = await screen.findByLabelText('Clip 11');
    expect(player).toHaveAttribute('src', '/media/mcfunny/clip-11.mp4');
    expect(player).toHaveAttribute('controlslist', 'nodownload');
    expect(player).toHaveAttribute('loop');
    expect(player).toHaveAttribute('controls');
    expect(screen.getByText(/5 MARCH, 2024/, { selector: '.watch-text p' })).toHaveTextContent(
      'Sipho Dlamini · 5 MARCH, 2024',
    );
  });

  test('lists the artist’s videos, and links related football videos with mid 1', async () => {
    let requested = '';
    server.use(
      http.get('*/api/diski/fetchsingle/:id', () => HttpResponse.json([video(21, 2)])),
      http.get('*/api/diski/common/:mid', ({ params }) => {
        requested = String(params.mid);
        return HttpResponse.json([video(22, 2)]);
      }),
    );
    openPage('/diskisingle/21/diski99/1', footballBrand);
    expect(await screen.findByRole('link', { name: /Clip 22/ })).toHaveAttribute(
      'href',
      '/diskisingle/22/diski99/1',
    );
    expect(requested).toBe('2');
  });

  test.each([
    ['comedy', '/allvideos/1/MC%20Funny/1', '/video/11/MC%20Funny/1', undefined, 'madfunny'],
    ['football', '/artistvideos/1/diski99/1', '/diskisingle/11/diski99/1', footballBrand, 'diski'],
  ] as const)(
    '%s: a touch of its link fetches all that its page shows',
    async (_, list, page, brand, api) => {
      const { user } = openPage(list, brand);
      await screen.findByRole('heading', { level: 1, name: /Clip 11/ });
      const calls = callsFromNow();
      preload(page);
      await waitFor(() =>
        expect(calls).toEqual([`/api/${api}/fetchsingle/11`, `/api/${api}/common/${video(11).artist_id}`]),
      );
      await user.click(screen.getAllByRole('link', { name: /Clip 11/ })[0] as HTMLElement);
      expect(await screen.findByRole('heading', { name: 'Related Videos' })).toBeInTheDocument();
      expect(await screen.findByRole('link', { name: /Clip 12/ })).toBeInTheDocument();
      expect(calls.filter(path => path.startsWith('/api/') && !path.includes('/subscribe/'))).toHaveLength(2);
    },
  );

  test('resumes at the stored position, and starts over on request', async () => {
    server.use(signedIn());
    localStorage.setItem('spaza.resume', JSON.stringify([['/media/mcfunny/clip-11.mp4', 4]]));
    const { user } = openPage('/video/11/MC%20Funny/1');
    const player = (await screen.findByLabelText('Clip 11')) as HTMLVideoElement;
    Object.defineProperty(player, 'duration', { value: 8 });
    fireEvent.loadedMetadata(player);
    expect(player.currentTime).toBe(4);
    fireEvent.pause(Object.assign(player, { currentTime: 5 }));
    expect(localStorage.getItem('spaza.resume')).toMatch(/^\[\["\/media\/mcfunny\/clip-11\.mp4",5\b/);
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(player.currentTime).toBe(0);
    expect(screen.queryByRole('button', { name: 'Start over' })).not.toBeInTheDocument();
  });

  test('leaving before the video has loaded keeps the stored position', async () => {
    server.use(signedIn());
    const kept = JSON.stringify([['/media/mcfunny/clip-11.mp4', 4]]);
    localStorage.setItem('spaza.resume', kept);
    openPage('/video/11/MC%20Funny/1');
    await screen.findByLabelText('Clip 11');
    cleanup();
    expect(localStorage.getItem('spaza.resume')).toBe(kept);
  });

  test('a video with captions has a track and a button that shows it', async () => {
    server.use(
      signedIn(),
      http.get('*/api/madfunny/fetchsingle/:id', () => HttpResponse.json([captionedVideo(11)])),
    );
    const { user } = openPage('/video/11/MC%20Funny/1');
    const player = (await screen.findByLabelText('Clip 11')) as HTMLVideoElement;
    const track = player.querySelector('track');
    expect(track).toHaveAttribute('kind', 'captions');
    expect(track).toHaveAttribute('src', '/media/mcfunny/clip-11.zu.vtt');
    expect(track).toHaveAttribute('srclang', 'zu');
    expect(track).toHaveAttribute('label', 'isiZulu');
    expect(track).not.toHaveAttribute('default');
    await user.click(await screen.findByRole('button', { name: 'Video settings' }));
    const button = screen.getByRole('button', { name: 'Captions' });
    expect(button).toHaveAttribute('aria-pressed', 'false');
    // Simulates the browser. e2e/stream.spec.ts tests that a real one fires the event, and that the choice is stored.
    const words = player.addTextTrack('captions');
    await user.click(button);
    expect(words.mode).toBe('showing');
  });

  test('shows captions from the start if they were chosen before', async () => {
    localStorage.setItem('spaza.captions', 'on');
    server.use(
      signedIn(),
      http.get('*/api/madfunny/fetchsingle/:id', () => HttpResponse.json([captionedVideo(11)])),
    );
    const { user } = openPage('/video/11/MC%20Funny/1');
    const player = await screen.findByLabelText('Clip 11');
    expect(player.querySelector('track')).toHaveAttribute('default');
    await user.click(await screen.findByRole('button', { name: 'Video settings' }));
    expect(screen.getByRole('button', { name: 'Captions' })).toHaveAttribute('aria-pressed', 'true');
    cleanup();
    server.use(http.get('*/api/madfunny/fetchsingle/:id', () => HttpResponse.json([video(11)])));
    openPage('/video/11/MC%20Funny/1');
    expect((await screen.findByLabelText('Clip 11')).querySelector('track')).toBeNull();
    // Nothing to set: no button either.
    expect(screen.queryByRole('button', { name: 'Video settings' })).not.toBeInTheDocument();
  });

  test('is shared by an address without a number', async () => {
    const share = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }));
    const { user } = openPage('/video/11/MC%20Funny/1?msisdn=27812345678&result=active');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    expect(share).toHaveBeenCalledWith({
      title: 'Clip 11',
      url: 'http://mcfunny.localhost:8080/video/11/MC%20Funny/1',
    });
  });

  test('a visitor without a session sees a join link and no media', async () => {
    openPage('/video/11/MC%20Funny/1');
    expect(await screen.findByRole('link', { name: 'Join now' })).toHaveAttribute(
      'href',
      '/login?page=%2Fvideo%2F11%2FMC%2520Funny%2F1',
    );
    expect(document.querySelector('video')).toBeNull();
    expect(screen.getAllByText('R3/day')[0]).toBeInTheDocument();
  });

  test('a subscriber without a session must confirm the number', async () => {
    openPage('/video/11/MC%20Funny/1?msisdn=27812345678&result=active');
    expect(await screen.findByText("Confirm it's you to watch")).toBeInTheDocument();
    expect(screen.getByText('Your network asks you to confirm. That costs nothing.')).toBeInTheDocument();
    expect(screen.queryByText('R3/day')).not.toBeInTheDocument();
  });

  test('an address without a number offers the way home', async () => {
    server.use(http.get('*/api/madfunny/fetchsingle/:id', () => problem(400, 'No number')));
    openPage('/video/abc/MC%20Funny/1');
    expect(await screen.findByRole('link', { name: 'Go to the home page' })).toHaveAttribute('href', '/');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeInTheDocument();
  });

  test('an inactive subscription is reported', async () => {
    server.use(signedIn({ state: 'suspended' }));
    openPage('/video/11/MC%20Funny/1');
    expect(await screen.findByText('Your subscription is not active')).toBeInTheDocument();
  });

  test('a related reply that is not an array counts as empty', async () => {
    server.use(http.get('*/api/madfunny/common/:mid', () => HttpResponse.json({ oops: true })));
    openPage('/video/11/MC%20Funny/1');
    expect(await screen.findByText('Nothing related yet.')).toBeInTheDocument();
  });
});

describe('the search', () => {
  test('finds artists and videos by words in any letter case', async () => {
    server.use(signedIn());
    const { user, address } = openPage('/search');
    await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'LERATO clip 12');
    expect(await screen.findByText('1 found')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Clip 12/ })).toHaveAttribute('href', '/video/12/MC%20Funny/2');
    expect(address()).toBe('/search?q=LERATO+clip+12');
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), 'lerato');
    expect(await screen.findByText('2 found')).toBeInTheDocument();
  });

  test('the field keeps every letter, and follows the address after a navigation', async () => {
    const { user, address } = openPage('/search');
    const field = await screen.findByRole('searchbox', { name: 'Search' });
    act(() => {
      fireEvent.input(field, { target: { value: 'l' } });
      // Results render later.
      expect(field).toHaveValue('l');
    });
    await waitFor(() => expect(address()).toBe('/search?q=l'));
    const [header] = screen.getAllByRole('link', { name: 'Search' });
    if (header) await user.click(header);
    await waitFor(() => expect(field).toHaveValue(''));
    expect(address()).toBe('/search');
  });

  test('an empty result shows a message', async () => {
    openPage('/search?q=zebra');
    expect(await screen.findByText('Nothing found. Try another word.')).toBeInTheDocument();
  });
});

describe('all artists', () => {
  const names = [
    'Zodwa',
    '"Turbo" Dube',
    'Élise',
    'Aaron',
    ...Array.from({ length: 220 }, (_, n) => `M ${n}`),
  ];
  const all = names.map((artist, nth) => ({
    id: nth + 1,
    artist,
    name: artist,
    description: '',
    artist_img_url: '',
  }));
  /** In two pages. */
  const many = () =>
    http.get('*/api/madfunny/fetchArtist', ({ request }) =>
      new URL(request.url).searchParams.has('after')
        ? HttpResponse.json(all.slice(200))
        : HttpResponse.json(all.slice(0, 200), {
            headers: { link: '</api/madfunny/fetchArtist?service=MC%20Funny&after=200>; rel="next"' },
          }),
    );
  const shown = async () =>
    (await within(await screen.findByRole('main')).findAllByRole('link')).map(
      link => link.lastChild?.textContent,
    );

  test('stand in the order of their names, from all pages, and a letter or a part of a name chooses', async () => {
    server.use(many());
    const { user } = openPage('/artists');
    expect(await screen.findByText('224 found')).toHaveAttribute('role', 'status');
    expect((await shown()).slice(0, 3)).toEqual(['Aaron', 'Élise', 'M 0']);
    const letters = screen.getByRole('group', { name: 'First letter' });
    expect(letters).toHaveTextContent('AEMTZ');
    await user.click(within(letters).getByRole('button', { name: 'T' }));
    expect(await shown()).toEqual(['"Turbo" Dube']);
    await user.type(screen.getByRole('searchbox', { name: 'Comedians' }), 'elis');
    expect(await shown()).toEqual(['Élise']);
    await user.type(screen.getByRole('searchbox'), 'x');
    expect(screen.getByText(/^Nothing found/)).toHaveAttribute('role', 'status');
  });

  test('are reached from the row of a brand with many, and not from that of one with few', async () => {
    server.use(many());
    const { user, address } = openPage('/allvideos/1/MC%20Funny/1');
    await user.click(await screen.findByRole('link', { name: 'All artists' }));
    expect(address()).toBe('/artists');
    cleanup();
    server.resetHandlers();
    openPage('/allvideos/1/MC%20Funny/1');
    await screen.findByRole('heading', { level: 1, name: /Clip 11/ });
    expect(screen.queryByRole('link', { name: 'All artists' })).not.toBeInTheDocument();
  });
});
