import { afterEach, expect, test, vi } from 'vitest';
import { rememberSeen, seenKeys, unseenFirst } from './memory';

afterEach(() => void vi.useRealTimers());

test('nothing comes twice in 30 days while there is something unseen', () => {
  const items = Array.from({ length: 40 }, (_, nth) => ({ id: nth }));
  const keyOf = ({ id }: { id: number }) => `film-${id}`;
  const shown: number[] = [];
  vi.useFakeTimers({ now: new Date('2026-11-01T10:00:00Z') });
  // Ten visits on ten days, four films each: each visit begins with what is unseen.
  for (let visit = 0; visit < 10; visit++) {
    for (const { id } of unseenFirst(items, keyOf, seenKeys()).slice(0, 4)) {
      shown.push(id);
      rememberSeen(`film-${id}`);
    }
    vi.advanceTimersByTime(86_400_000);
  }
  expect(new Set(shown).size).toBe(40);
  // Then everything is seen, and the list is whole.
  expect(unseenFirst(items, keyOf, seenKeys())).toHaveLength(40);
  // After 30 days the first visit's films are new again.
  vi.setSystemTime(new Date('2026-12-01T10:00:00Z'));
  expect(unseenFirst(items, keyOf, seenKeys()).slice(0, 4)).toEqual(items.slice(0, 4));
});

test('a list that is not loaded to its end has no seen items yet', () => {
  const keyOf = (id: number) => String(id);
  expect(unseenFirst([1, 2, 3], keyOf, new Set(['1']), true)).toEqual([2, 3]);
  expect(unseenFirst([1, 2, 3], keyOf, new Set(['1']))).toEqual([2, 3, 1]);
  expect(unseenFirst([1, 2, 3], keyOf, new Set(), true)).toEqual([1, 2, 3]);
});

test('a broken store counts as empty, and the latest 2,000 are kept', () => {
  localStorage.setItem('spaza.seen.mcfunny', '{');
  expect(seenKeys().size).toBe(0);
  localStorage.setItem(
    'spaza.seen.mcfunny',
    JSON.stringify(Array.from({ length: 2000 }, (_, nth) => [`x${nth}`, 99_999])),
  );
  rememberSeen('new');
  expect(seenKeys().size).toBe(2000);
  expect(seenKeys().has('x0')).toBe(false);
  expect(seenKeys().has('new')).toBe(true);
});
