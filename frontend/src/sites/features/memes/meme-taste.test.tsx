/** The meme home on a phone that remembers. Each test opens it once: a page that was loaded keeps its order. */
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { memeBrand, serveBrand } from '../../../dev/brands';
import { meme } from '../../../dev/fixtures';
import { openPage } from '../../../dev/render';
import { server, signedIn } from '../../../dev/server';
import { rememberSeen } from '../../memory';
import { forgetTaste, learnTaste } from '../../taste';

const HOME = '/redirectTo?service=memeworld&msisdn=27812345678&result=active';
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

/** Memes of this page only. */
const draw = (...memes: ReturnType<typeof meme>[]) =>
  server.use(http.get('*/api/meme/random', () => HttpResponse.json(memes)));

test('what was seen in the last 30 days is last, what is liked is first and says why', async () => {
  serveBrand(memeBrand);
  const { forgetOpened } = await import('../../memory');
  rememberSeen('meme-1');
  learnTaste('category-7', 'liked');
  draw(meme(1), meme(3, { category_id: 8 }), meme(5), meme(7, { category_id: 9 }));
  openPage(HOME, memeBrand);
  await waitFor(() => expect(titles()).toEqual(['Meme 5', 'Meme 3', 'Meme 7', 'Meme 1']));
  await waitFor(() => expect(screen.getAllByText('Because you liked Kasi life')).toHaveLength(2));
  forgetOpened('seen.memes');
  forgetTaste();
});

test('a like is learned, and an unlike undoes it', async () => {
  server.use(
    signedIn(),
    http.post('*/api/meme/postlike', () => HttpResponse.json({ id: 1, liked: true, likes: 5 })),
    http.delete('*/api/meme/unlike', () => HttpResponse.json({ id: 1, liked: false, likes: 4 })),
  );
  const { user } = openPage(HOME, memeBrand);
  const stored = () => localStorage.getItem('spaza.taste.memeworld');
  const like = () => screen.findByRole('button', { name: /^Like Meme 1, \d+$/ });
  await user.click(await like());
  await waitFor(() => expect(stored()).toMatch(/^\[\["category-7",3,/));
});

test('a category that is left after a glance is learned, one in which something is opened is not', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  serveBrand(memeBrand);
  const stored = () => localStorage.getItem('spaza.taste.memeworld');
  const { user, go } = openPage('/memeCategory/1/7/memeworld', memeBrand);
  await user.click(await screen.findByRole('button', { name: 'Open Meme 1' }));
  vi.advanceTimersByTime(1000);
  go('/terms');
  await waitFor(() => expect(screen.queryByText('KASI LIFE')).not.toBeInTheDocument());
  expect(stored()).toBeNull();
  go('/memeCategory/1/7/memeworld');
  await screen.findByRole('heading', { name: 'KASI LIFE' });
  vi.advanceTimersByTime(1000);
  go('/terms');
  await waitFor(() => expect(stored()).toMatch(/^\[\["category-7",-1,/));
  vi.useRealTimers();
});
