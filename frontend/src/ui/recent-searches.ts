/** What was looked for on this phone, latest first. */
import { useState } from 'react';
import { brand } from '../brand';
import { useHydrated } from '../hydration';
import { keep, recall } from './phone-memory';

const MOST = 8;

const keyOf = () => `spaza.searches.${brand().service}`;

function listIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(each => typeof each === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function useRecentSearches() {
  const kept = useHydrated(() => recall(keyOf()) ?? '', '');
  const [, setChanged] = useState({});
  const change = (next: (list: string[]) => string[]) => {
    keep(keyOf(), JSON.stringify(next(listIn(recall(keyOf()) ?? '')).slice(0, MOST)));
    setChanged({});
  };
  const plain = (words: string) => words.toLowerCase();
  return {
    searches: listIn(kept),
    /** In the place of its own beginnings, which were perhaps kept while it was typed. */
    add: (words: string) =>
      change(list => [words, ...list.filter(each => !plain(words).startsWith(plain(each)))]),
    remove: (words: string) => change(list => list.filter(each => each !== words)),
  };
}
