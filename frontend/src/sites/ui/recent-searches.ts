/** Recent searches on this phone, latest first. */
import { useState } from 'react';
import { brand } from '../brand';
import { useHydrated } from '../hydration';
import { getLocalItem, setLocalItem } from './local-storage';

const MAX_SEARCHES = 8;

const keyOf = () => `spaza.searches.${brand().service}`;

function listIn(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(each => typeof each === 'string').slice(0, MAX_SEARCHES) : [];
  } catch {
    return [];
  }
}

export function useRecentSearches() {
  const kept = useHydrated(() => getLocalItem(keyOf()) ?? '', '');
  const [, setChanged] = useState({});
  const change = (next: (list: string[]) => string[]) => {
    setLocalItem(keyOf(), JSON.stringify(next(listIn(getLocalItem(keyOf()) ?? '')).slice(0, MAX_SEARCHES)));
    setChanged({});
  };
  const lower = (words: string) => words.toLowerCase();
  return {
    searches: listIn(kept),
    /** Replaces searches that are a beginning of `words`: they may have been saved while it was typed. */
    add: (words: string) =>
      change(list => [words, ...list.filter(each => !lower(words).startsWith(lower(each)))]),
    remove: (words: string) => change(list => list.filter(each => each !== words)),
  };
}
