import { expect, test } from 'vitest';
import { type Film, savedPosition, savePosition } from './resume';
import { removeFilm, unfinishedFilms } from './unfinished-films';

const film = (id: number): Film => ({
  to: `/ttsingle/${id}/ttmbhatv`,
  title: `Show ${id}`,
  image: '',
  seconds: 100,
  brand: 'ttmbhatv',
});

test('savePosition stores unfinished videos, the latest first, and drops finished ones', () => {
  for (const [id, second] of [
    [1, 30],
    [2, 96],
    [3, 1],
    [4, 50],
  ] as const)
    savePosition(`/media/${id}.mp4`, second, 100, film(id));
  expect(unfinishedFilms('ttmbhatv').map(({ title, second }) => [title, second])).toEqual([
    ['Show 4', 50],
    ['Show 1', 30],
  ]);
  expect(unfinishedFilms('racedaytv')).toEqual([]);
  // The credits go on where they were left, too.
  expect(savedPosition('/media/2.mp4')).toBe(96);
  savePosition('/media/4.mp4', 99, 100, film(4));
  removeFilm('/media/1.mp4');
  expect(unfinishedFilms('ttmbhatv')).toEqual([]);
});

test('savePosition keeps forty videos, including entries of an earlier release', () => {
  localStorage.setItem('spaza.resume', JSON.stringify([['/media/old.mp4', 7]]));
  expect(savedPosition('/media/old.mp4')).toBe(7);
  expect(unfinishedFilms('ttmbhatv')).toEqual([]);
  for (let id = 0; id < 60; id++) savePosition(`/media/${id}.mp4`, 30, 100, film(id));
  expect(unfinishedFilms('ttmbhatv')).toHaveLength(40);
  expect(savedPosition('/media/old.mp4')).toBe(0);
});
