/** The search page's frame: a field whose words stand in the address, and what was found. */
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { Shell } from './Shell';
import './search.css';

/** All words, in any order, whatever their case and accents. */
export function matches(words: string, ...texts: (string | undefined)[]): boolean {
  const text = plain(texts.join(' '));
  return plain(words)
    .split(/\s+/)
    .every(word => text.includes(word));
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .trim();

/** Marks an address that was typed: there the field leads, and the address follows. */
const TYPED = 'typed';

type Props = {
  nav: ReactNode;
  /** What can be found, for the field's name: "Search artists and videos". */
  what: string;
  children: (words: string) => ReactNode;
};

export function Search({ nav, what, children }: Props) {
  const [query, setQuery] = useSearchParams();
  const id = useId();
  const words = query.get('q') ?? '';
  // The router changes the address when there is time for it. A field that waited for that would lose letters on a slow phone.
  const [typed, setTyped] = useState(words);
  const { state } = useLocation();
  useEffect(() => {
    if (state !== TYPED) setTyped(words);
  }, [state, words]);
  const look = (next: string) => {
    setTyped(next);
    setQuery(
      before => {
        before.set('q', next);
        return before;
      },
      { replace: true, state: TYPED },
    );
  };
  return (
    <Shell title="Search" nav={nav}>
      <search className="search">
        <label htmlFor={id}>
          <h1>Search</h1>
        </label>
        <input
          id={id}
          className="field"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          placeholder={what}
          value={typed}
          onChange={({ target }) => look(target.value)}
        />
      </search>
      {words.trim() ? children(words) : <p className="search-hint">{what}: type a word or two.</p>}
    </Shell>
  );
}

/** How many there are, for screen readers as well. */
export function Found({ count }: { count: number }) {
  return (
    <p className="search-count" role="status">
      {count === 0 ? 'Nothing found. Try another word.' : count === 1 ? '1 found' : `${count} found`}
    </p>
  );
}
