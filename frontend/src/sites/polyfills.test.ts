/** What the floor's browsers lack, as libraries call it. */
import { expect, test } from 'vitest';

test('at and allSettled answer as the built-in ones, which stay', async () => {
  const builtIn = { at: Array.prototype.at, allSettled: Promise.allSettled };
  const { at, allSettled } = await import('./polyfills');
  expect(Array.prototype.at).toBe(builtIn.at);
  expect(Promise.allSettled).toBe(builtIn.allSettled);

  for (const list of [[], ['a', 'b']])
    for (const index of [0, 1, 2, -1, -2, -3]) expect(at.call(list, index)).toBe(list.at(index));
  const promises = () => [1, Promise.resolve(2), Promise.reject(new Error('lost'))];
  expect(await allSettled(promises())).toEqual(await Promise.allSettled(promises()));
});
