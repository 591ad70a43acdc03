/** The search page: a field whose words stand in the address, what the service finds, and what was looked for before. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { List } from '../api/list';
import { useInfiniteQuery } from '../api/query-client';
import type { searchQuery } from '../api/search';
import type { Pages } from './EndlessList';
import { CrossIcon } from './icons';
import { useRecentSearches } from './recent-searches';
import { Shell } from './Shell';
import { Loaded } from './States';
import './search.css';

/** Marks an address that was typed: there the field leads, and the address follows. */
const TYPED = 'typed';
/** The services take no longer query. */
const LONGEST = 100;
/** A pause between letters after which the service is asked. */
const PAUSE_MS = 200;
/** Words whose results were looked at for so long are kept. */
const KEEP_MS = 1500;

/** One function for all renderings: react-query calls another one again, and its result would be new each time. */
const theSame = <T,>(earlier: T): T => earlier;

type Props<T extends { id: number }> = {
  nav: ReactNode;
  /** What can be found, for the field's name: "Search artists and videos". */
  what: string;
  find: (words: string) => ReturnType<typeof searchQuery<T>>;
  skeleton: ReactNode;
  children: (found: List<T>, pages: Pages) => ReactNode;
};

export function Search<T extends { id: number }>({ nav, what, find, skeleton, children }: Props<T>) {
  const [query, setQuery] = useSearchParams();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const words = (query.get('q') ?? '').slice(0, LONGEST);
  // The router changes the address when there is time for it. A field that waited for that would lose letters on a slow phone.
  const [typed, setTyped] = useState(words);
  const wanted = typed.trim();
  /** What the service is asked for; nothing while letters follow each other, so that the call for the earlier ones ends. */
  const [asked, setAsked] = useState(wanted);
  const { state } = useLocation();
  useEffect(() => {
    if (state === TYPED) return;
    setTyped(words);
    setAsked(words.trim());
  }, [state, words]);
  useEffect(() => {
    if (asked || !wanted) return;
    const timer = window.setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [asked, wanted]);

  const found = useInfiniteQuery({
    ...find(asked),
    enabled: asked !== '',
    placeholderData: theSame,
  });
  const { searches, add, remove } = useRecentSearches();
  const hasFound = found.data?.name === wanted && found.data.items.length > 0;
  const keep = () => {
    if (hasFound && searches[0] !== wanted) add(wanted);
  };
  const latestKeep = useRef(keep);
  latestKeep.current = keep;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words begin the time anew
  useEffect(() => {
    if (!hasFound) return;
    const timer = window.setTimeout(() => latestKeep.current(), KEEP_MS);
    return () => window.clearTimeout(timer);
  }, [hasFound, wanted]);

  const look = (next: string, now = false) => {
    setTyped(next);
    setAsked(now ? next.trim() : '');
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
        <form
          onSubmit={event => {
            event.preventDefault();
            setAsked(wanted);
            keep();
            // The keyboard of a phone covers what was found.
            field.current?.blur();
          }}
        >
          <label htmlFor={id}>
            <h1>Search</h1>
          </label>
          <input
            ref={field}
            id={id}
            className="field"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={LONGEST}
            placeholder={what}
            value={typed}
            onChange={({ target }) => look(target.value)}
          />
        </form>
      </search>
      {wanted ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link or button in it clicks as well
        // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that something in it was chosen
        <div onClick={keep}>
          <Count found={found.data} wanted={wanted} pages={found} />
          <Loaded query={found} skeleton={skeleton} empty="" isEmpty={() => false}>
            {data => children(data, found)}
          </Loaded>
        </div>
      ) : (
        <Recent what={what} searches={searches} onPick={each => look(each, true)} onRemove={remove} />
      )}
    </Shell>
  );
}

/** How many there are, for screen readers as well. */
function Count<T>({ found, wanted, pages }: { found: List<T> | undefined; wanted: string; pages: Pages }) {
  const count = found?.items.length ?? 0;
  const words =
    found?.name !== wanted
      ? pages.error
        ? ''
        : 'Searching…'
      : count === 0
        ? 'Nothing found. Try another word.'
        : `${pages.hasNextPage ? 'More than ' : ''}${count} found`;
  return (
    <p className="search-count" role="status">
      {words}
    </p>
  );
}

type RecentProps = {
  what: string;
  searches: string[];
  onPick: (words: string) => void;
  onRemove: (words: string) => void;
};

function Recent({ what, searches, onPick, onRemove }: RecentProps) {
  return (
    <>
      <p className="search-count">{what}: type a word or two.</p>
      {searches.length > 0 && (
        <section className="search-recent">
          <h2>Recent searches</h2>
          <ul>
            {searches.map(each => (
              <li key={each}>
                <button type="button" className="nav-link" onClick={() => onPick(each)}>
                  {each}
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Remove ${each}`}
                  onClick={() => onRemove(each)}
                >
                  <CrossIcon />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
