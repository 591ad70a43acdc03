/**
 * What this phone has learned of the visitor's taste, by artist (`artist-3`) and category (`category-7`): it orders the deck, the feed and the
 * meme home. It stays on the phone, fades, and can be cleared or switched off.
 */
import { useEffect } from 'react';
import { brand } from './brand';
import { forgetOpened, whenOpened } from './memory';
import { getLocalItem, setLocalItem } from './ui/local-storage';

/** How much each sign adds. */
const SIGNS = { liked: 3, unliked: -3, chosen: 2, watched: 2, left: -1 };
/** A weight is between this and its negative, so that a taste can change. */
const BOUND = 10;
const HALF_LIFE_DAYS = 30;
/** Below it something is as good as unknown. */
const LEAST = 0.25;
/** The latest of these are kept. */
const MOST = 200;
/** Every so many places one is for chance: also what the visitor does not know yet appears. */
const CHANCE_EVERY = 4;
/** A visitor who leaves after so many milliseconds has seen the page and wants none of it. */
const GLANCE_MS: [least: number, most: number] = [500, 5000];

type Lists = 'deck' | 'feed' | 'memes';
const LISTS: Lists[] = ['deck', 'feed', 'memes'];

/** `weights`: above zero is liked. `seed`: chance, the same for a list as long as it is open. */
export type Taste = { weights: Record<string, number>; seed: number };
export const NO_TASTE = '{"weights":{},"seed":1}';

type Learned = [key: string, weight: number, day: number];

const OFF = 'spaza.taste.off';
const storedAt = () => `spaza.taste.${brand().label}`;
const today = () => Math.floor(Date.now() / 86_400_000);

export const isTasteOn = (): boolean => getLocalItem(OFF) !== 'yes';

/** As of today. */
function learned(): Learned[] {
  try {
    const stored: Learned[] = JSON.parse(getLocalItem(storedAt()) ?? '[]');
    return stored
      .map(
        ([key, weight, day]): Learned => [key, weight * 0.5 ** ((today() - day) / HALF_LIFE_DAYS), today()],
      )
      .filter(([, weight]) => Math.abs(weight) >= LEAST);
  } catch {
    return [];
  }
}

export function learnTaste(key: string, sign: keyof typeof SIGNS): void {
  if (!isTasteOn()) return;
  const all = learned();
  const before = all.find(([other]) => other === key)?.[1] ?? 0;
  const weight = Math.max(-BOUND, Math.min(BOUND, before + SIGNS[sign]));
  const others = all.filter(([other]) => other !== key);
  setLocalItem(storedAt(), JSON.stringify([...others, [key, weight, today()]].slice(-MOST)));
}

/** The taste, as JSON, when a list was opened. */
export const tasteBefore = (list: Lists, span?: 'tab' | 'document'): string =>
  whenOpened(`taste.${list}`, readTaste, span) || NO_TASTE;

const readTaste = (): string =>
  JSON.stringify({
    weights: Object.fromEntries(isTasteOn() ? learned().map(([key, weight]) => [key, weight]) : []),
    seed: Math.floor(Math.random() * 2 ** 31),
  });

export function forgetTaste(): void {
  setLocalItem(storedAt(), '[]');
  for (const list of LISTS) forgetOpened(`taste.${list}`);
}

export function switchTaste(on: boolean): void {
  setLocalItem(OFF, on ? 'no' : 'yes');
  for (const list of LISTS) forgetOpened(`taste.${list}`);
}

export const hasLearned = (): boolean => learned().length > 0;

export const isLiked = (key: string, { weights }: Taste): boolean => (weights[key] ?? 0) > 0;

/** The liked keys with a prefix, the most liked first. */
export const mostLiked = (prefix: string, { weights }: Taste): string[] =>
  Object.keys(weights)
    .filter(key => key.startsWith(prefix) && (weights[key] ?? 0) > 0)
    .sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0));

/**
 * What is liked comes first, mixed by weight and chance, with every fourth place for something else; what was left at once is last. The order
 * depends on its arguments alone. `size`: a list that is loaded by pages of this size is ordered page by page, so that later ones move nothing.
 */
export function byTaste<T>(items: T[], keyOf: (item: T) => string, taste: Taste, size = items.length): T[] {
  if (items.length > size)
    return [
      ...byTaste(items.slice(0, size), keyOf, taste),
      ...byTaste(items.slice(size), keyOf, taste, size),
    ];
  const weightOf = (item: T) => taste.weights[keyOf(item)] ?? 0;
  const chance = randomFrom(taste.seed);
  const liked = items
    .filter(item => weightOf(item) > 0)
    .map(item => ({ item, rank: chance() ** (1 / weightOf(item)) }))
    .sort((one, other) => other.rank - one.rank);
  const others = items.filter(item => weightOf(item) === 0);
  const ordered: T[] = [];
  for (const { item } of liked) {
    const isForChance = ordered.length % CHANCE_EVERY === CHANCE_EVERY - 1;
    if (isForChance) ordered.push(...others.splice(Math.floor(chance() * others.length), 1));
    ordered.push(item);
  }
  return [...ordered, ...others, ...items.filter(item => weightOf(item) < 0)];
}

/** Numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether something that was shown since `start` was left after a glance. */
export function isGlance(start: number): boolean {
  const time = Date.now() - start;
  return time >= GLANCE_MS[0] && time <= GLANCE_MS[1];
}

/** Learns that a page was left at once, without a tap in it. */
export function useLeftAtOnce(key: string): void {
  useEffect(() => {
    const start = Date.now();
    let isUsed = false;
    const use = ({ target }: Event) => {
      if (target instanceof Element && target.closest('main')) isUsed = true;
    };
    document.addEventListener('click', use, true);
    return () => {
      document.removeEventListener('click', use, true);
      if (!isUsed && isGlance(start)) learnTaste(key, 'left');
    };
  }, [key]);
}
