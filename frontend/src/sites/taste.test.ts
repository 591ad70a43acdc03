import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  byTaste,
  forgetTaste,
  isLiked,
  learnTaste,
  mostLiked,
  switchTaste,
  type Taste,
  tasteBefore,
} from './taste';

type Item = { id: number; category: number };
const keyOf = ({ category }: Item) => `category-${category}`;
/** As a list that is opened now. */
const taste = (): Taste => {
  sessionStorage.clear();
  return JSON.parse(tasteBefore('feed'));
};

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-01T10:00:00Z') }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The same numbers in each run. */
function chanceFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('1,000 visitors of known taste: hits among the first ten are at least twice those of a random order', () => {
  const chance = chanceFrom(7);
  vi.spyOn(Math, 'random').mockImplementation(chance);
  const shuffled = <T>(items: T[]): T[] =>
    items
      .map(item => ({ item, rank: chance() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  const catalogue = Array.from({ length: 240 }, (_, id): Item => ({ id, category: id % 12 }));
  let [random, learned, fresh] = [0, 0, 0];
  for (let visitor = 0; visitor < 1000; visitor++) {
    localStorage.clear();
    const [one, other] = shuffled(Array.from({ length: 12 }, (_, category) => category));
    const suits = ({ category }: Item) => category === one || category === other;
    const [seen, unseen] = [shuffled(catalogue).slice(0, 30), shuffled(catalogue).slice(0, 60)];
    // A person: likes half of what suits, watches some of the rest of it, and leaves some of the others at once.
    for (const item of seen) {
      const mood = chance();
      if (suits(item) && mood < 0.8) learnTaste(keyOf(item), mood < 0.5 ? 'liked' : 'watched');
      else if (!suits(item) && mood < 0.05) learnTaste(keyOf(item), 'liked');
      else if (!suits(item) && mood < 0.3) learnTaste(keyOf(item), 'left');
    }
    const first = byTaste(unseen, keyOf, taste()).slice(0, 10);
    random += unseen.slice(0, 10).filter(suits).length;
    learned += first.filter(suits).length;
    fresh += first.filter(item => !suits(item)).length;
  }
  expect(learned / random).toBeGreaterThanOrEqual(2);
  // New things still appear: one of ten at least.
  expect(fresh).toBeGreaterThanOrEqual(1000);
});

describe('an order by taste', () => {
  const items = Array.from({ length: 12 }, (_, id): Item => ({ id, category: id % 3 }));
  const known = (weights: Record<string, number>): Taste => ({ weights, seed: 5 });

  test('is that of the list while nothing is known', () => {
    expect(byTaste(items, keyOf, known({}))).toEqual(items);
  });

  test('has every item once, what was left at once last, and is the same for the same seed', () => {
    const ordered = byTaste(items, keyOf, known({ 'category-1': 3, 'category-2': -1 }));
    expect(ordered.map(({ id }) => id).sort((one, other) => one - other)).toEqual(items.map(({ id }) => id));
    expect(ordered.slice(0, 3).map(keyOf)).toEqual(Array(3).fill('category-1'));
    expect(keyOf(ordered[3] as Item)).toBe('category-0');
    expect(ordered.slice(-4).map(keyOf)).toEqual(Array(4).fill('category-2'));
    expect(byTaste(items, keyOf, known({ 'category-1': 3, 'category-2': -1 }))).toEqual(ordered);
  });

  test('moves nothing of a page when the next one is loaded', () => {
    const weights = { 'category-1': 3 };
    const [first, whole] = [items.slice(0, 6), items].map(all => byTaste(all, keyOf, known(weights), 6));
    expect(whole?.slice(0, 6)).toEqual(first);
  });
});

describe('what is learned', () => {
  test('fades by half in 30 days, and is forgotten in the end', () => {
    learnTaste('artist-1', 'liked');
    vi.setSystemTime(new Date('2026-12-01T10:00:00Z'));
    expect(taste().weights).toEqual({ 'artist-1': 1.5 });
    vi.setSystemTime(new Date('2027-06-01T10:00:00Z'));
    expect(taste().weights).toEqual({});
  });

  test('is bounded, undone by an unlike, and of 200 keys', () => {
    for (let times = 0; times < 9; times++) learnTaste('artist-1', 'liked');
    expect(taste().weights).toEqual({ 'artist-1': 10 });
    learnTaste('artist-2', 'liked');
    learnTaste('artist-2', 'unliked');
    expect(isLiked('artist-2', taste())).toBe(false);
    for (let nth = 0; nth < 250; nth++) learnTaste(`category-${nth}`, 'watched');
    expect(Object.keys(taste().weights)).toHaveLength(200);
    expect(mostLiked('artist-', taste())).toEqual([]);
  });

  test('stays for a list that is open, and counts for one that is opened later', () => {
    expect(JSON.parse(tasteBefore('feed')).weights).toEqual({});
    learnTaste('artist-1', 'chosen');
    expect(JSON.parse(tasteBefore('feed')).weights).toEqual({});
    expect(JSON.parse(tasteBefore('deck')).weights).toEqual({ 'artist-1': 2 });
  });

  test('can be cleared, and switched off', () => {
    learnTaste('artist-1', 'liked');
    expect(JSON.parse(tasteBefore('feed')).weights).toEqual({ 'artist-1': 3 });
    switchTaste(false);
    learnTaste('artist-2', 'liked');
    expect(JSON.parse(tasteBefore('feed')).weights).toEqual({});
    switchTaste(true);
    expect(JSON.parse(tasteBefore('feed')).weights).toEqual({ 'artist-1': 3 });
    forgetTaste();
    expect(JSON.parse(tasteBefore('feed')).weights).toEqual({});
  });

  test.each(['{', '{}', '[null]', '[["artist-1"]]', '7'])('a broken store counts as empty: %s', stored => {
    localStorage.setItem('spaza.taste.mcfunny', stored);
    expect(taste().weights).toEqual({});
  });

  test('a store that throws changes nothing', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    learnTaste('artist-1', 'liked');
    forgetTaste();
    const items = [{ id: 1, category: 1 }];
    expect(byTaste(items, keyOf, JSON.parse(tasteBefore('feed')))).toEqual(items);
    vi.unstubAllGlobals();
  });
});
