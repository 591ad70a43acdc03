import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { readMeter, updateMeter } from './data-meter';
import { PlayerOffers } from './PlayerOffers';
import { LOOPED } from './playback';

const NEXT = { to: '/video/12/MC%20Funny/1', title: 'Clip 12', image: 'https://x.example/12.webp' };

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  return () => vi.useRealTimers();
});

const Address = () => <p>{useLocation().pathname}</p>;

function play(next: typeof NEXT | null = NEXT, capped = false) {
  const video = document.createElement('video');
  video.getBoundingClientRect = () => ({ bottom: 200 }) as DOMRect;
  render(
    <MemoryRouter>
      <PlayerOffers
        element={{ current: video }}
        title="Clip 11"
        artist="Sipho"
        poster="https://x.example/11.webp"
        taste="artist-1"
        next={next ?? undefined}
        capped={capped}
      />
      <button type="button">Like</button>
      <Address />
    </MemoryRouter>,
  );
  return { end: () => act(() => video.dispatchEvent(new Event(LOOPED))) };
}

const offer = () => screen.queryByRole('region', { name: /^Up next/ });
const seconds = async (count: number) => {
  for (let each = 0; each < count; each++) await act(() => vi.advanceTimersByTimeAsync(1000));
};

test('the next film is offered at the end, is focused, and starts after five seconds', async () => {
  const { end } = play();
  expect(offer()).toBeNull();
  end();
  expect(offer()).toHaveTextContent('Up next in 5 sClip 12');
  expect(screen.getByRole('link', { name: 'Play next' })).toHaveFocus();
  await seconds(4);
  expect(screen.getByText('/')).toBeInTheDocument();
  await seconds(1);
  expect(screen.getByText('/video/12/MC%20Funny/1')).toBeInTheDocument();
});

test('"Stay here" stops the offers of this page and the countdown of the next one', async () => {
  const { end } = play();
  end();
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(screen.getByRole('button', { name: 'Stay here' }));
  expect(offer()).toBeNull();
  end();
  expect(offer()).toBeNull();
  await seconds(6);
  expect(screen.getByText('/')).toBeInTheDocument();
});

test('after "Stay here" the tab offers the next film without a countdown', async () => {
  sessionStorage.setItem('spaza.up-next.stayed', 'yes');
  const { end } = play();
  end();
  expect(offer()).toHaveTextContent('Up nextClip 12');
  await seconds(6);
  expect(screen.getByText('/')).toBeInTheDocument();
});

test('with Save-Data the next film does not start by itself', async () => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }));
  const { end } = play();
  end();
  expect(offer()).toHaveTextContent('Up nextClip 12');
  await seconds(6);
  expect(screen.getByText('/')).toBeInTheDocument();
  vi.unstubAllGlobals();
});

test('the offer does not move the focus or change the page while another control is in use', async () => {
  const { end } = play();
  screen.getByRole('button', { name: 'Like' }).focus();
  end();
  expect(offer()).toHaveTextContent('Up nextClip 12');
  expect(screen.getByRole('button', { name: 'Like' })).toHaveFocus();
  await seconds(6);
  expect(screen.getByText('/')).toBeInTheDocument();
});

test('there is no offer without a next film', () => {
  const { end } = play(null);
  end();
  expect(offer()).toBeNull();
});

test('at the cap the visitor can watch on for the rest of the month, or change the limit', async () => {
  updateMeter(() => ({ cap: 100 }));
  play(NEXT, true);
  expect(screen.getByRole('heading', { name: 'Your 100 MB for this month are used' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Change limit' })).toHaveAttribute('href', '/subscription');
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(screen.getByRole('button', { name: 'Watch on anyway' }));
  expect(readMeter().watchOn).toBe(true);
});

test('a film that was watched to its end is learned once', async () => {
  const { end } = play();
  await end();
  await end();
  expect(localStorage.getItem('spaza.taste.mcfunny')).toMatch(/^\[\["artist-1",2,\d+\]\]$/);
});
