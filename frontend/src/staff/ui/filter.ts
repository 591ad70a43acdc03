/** Filters in the address, so that a list can be passed on. */
import { useCallback, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSlash } from '../keyboard';
import { useDebounced } from './debounced';

export function useFilter() {
  const [query, setQuery] = useSearchParams();
  const get = (name: string): string => query.get(name) ?? '';
  /** An empty value leaves the address. */
  const set = (changed: Record<string, string>): void => {
    const all = Object.entries({ ...Object.fromEntries(query), ...changed });
    setQuery(
      all.filter(([, value]) => value !== ''),
      { replace: true, preventScrollReset: true },
    );
  };
  return { get, set };
}

/** The field of a search by words, which `/` focuses, and the words that are sent. */
export function useSearchField({ get, set }: ReturnType<typeof useFilter>) {
  const input = useRef<HTMLInputElement>(null);
  // The address follows: text that came from it would lose letters that are typed before it is there.
  const [text, setText] = useState(() => get('q'));
  useSlash(
    useCallback(() => {
      input.current?.focus();
      input.current?.select();
    }, []),
  );
  return {
    q: useDebounced(text),
    clear: () => setText(''),
    field: {
      ref: input,
      type: 'search',
      value: text,
      onChange: ({ target }: { target: { value: string } }) => {
        setText(target.value);
        set({ q: target.value });
      },
    },
  };
}
