import { expect, test } from 'vitest';
import { begunFilms, forget } from './begun';
import { type Film, leaveAt, leftAt } from './resume';

const film = (id: number): Film => ({
  to: `/ttsingle/${id}/ttmbhatv`,
  title: `Show ${id}`,
  image: '',
  seconds: 100,
  brand: 'ttmbhatv',
});

test('what was begun is kept with the latest first, without what is finished', () => {
  for (const [id, second] of [
    [1, 30],
    [2, 96],
    [3, 1],
    [4, 50],
  ] as const)
    leaveAt(`/media/${id}.mp4`, second, 100, film(id));
  expect(begunFilms('ttmbhatv').map(({ title, second }) => [title, second])).toEqual([
    ['Show 4', 50],
    ['Show 1', 30],
  ]);
  expect(begunFilms('racedaytv')).toEqual([]);
  // The credits go on where they were left, too.
  expect(leftAt('/media/2.mp4')).toBe(96);
  leaveAt('/media/4.mp4', 99, 100, film(4));
  forget('/media/1.mp4');
  expect(begunFilms('ttmbhatv')).toEqual([]);
});

test('forty videos are kept, whatever an earlier release has kept of them', () => {
  localStorage.setItem('spaza.resume', JSON.stringify([['/media/old.mp4', 7]]));
  expect(leftAt('/media/old.mp4')).toBe(7);
  expect(begunFilms('ttmbhatv')).toEqual([]);
  for (let id = 0; id < 60; id++) leaveAt(`/media/${id}.mp4`, 30, 100, film(id));
  expect(begunFilms('ttmbhatv')).toHaveLength(40);
  expect(leftAt('/media/old.mp4')).toBe(0);
});
