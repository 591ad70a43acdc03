/** The search page: a field whose text is in the address, the results, and recent searches. */

import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { List } from '../api/list';
import { useInfiniteQuery } from '../api/query-client';
import type { searchQuery } from '../api/search';
import { t } from '../messages';
import { paths } from '../paths';
import type { Pages } from './EndlessList';
import { CrossIcon } from './icons';
import { useRecentSearches } from './recent-searches';
import { Shell } from './Shell';
import { Loaded } from './States';
import './search.css';
import { Plain } from './Plain';

/** Location state of an address that follows the field. Any other address change sets the field. */
const TYPED = 'typed';
/** The services' limit. */
const MAX_LENGTH = 100;
/** Debounce of the call while typing. */
const DEBOUNCE_MS = 200;
/** A search whose results were shown for this long is saved as recent. */
const SAVE_AFTER_MS = 1500;

/** Defined at module level: react-query calls a new function again in each rendering, and its result would be new each time. */
const keepPrevious = <T,>(previous: T): T => previous;

type Props<T extends { id: number }> = {
  nav: ReactNode;
  /** The field's placeholder: "Search artists and videos". */
  placeholder: string;
  find: (words: string) => ReturnType<typeof searchQuery<T>>;
  skeleton: ReactNode;
  /** Shown before a letter is typed. */
  before: ReactNode;
  children: (found: List<T>, pages: Pages) => ReactNode;
};

export function Search<T extends { id: number }>({
  nav,
  placeholder,
  find,
  skeleton,
  before,
  children,
}: Props<T>) {
  const [query, setQuery] = useSearchParams();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const words = (query.get('q') ?? '').slice(0, MAX_LENGTH);
  // The router changes the address in a transition. If the field waited for it, letters would be lost on a slow phone.
  const [typed, setTyped] = useState(words);
  const trimmed = typed.trim();
  /** The query that is sent. It is empty while the visitor types, which cancels the previous call. */
  const [sent, setSent] = useState(trimmed);
  const location = useLocation();
  const [seen, setSeen] = useState(location);
  if (seen !== location) {
    setSeen(location);
    if (location.state !== TYPED) {
      setTyped(words);
      setSent(words.trim());
    }
  }
  useEffect(() => {
    if (sent || !trimmed) return;
    const timer = window.setTimeout(() => setSent(trimmed), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [sent, trimmed]);

  const found = useInfiniteQuery({
    ...find(sent),
    enabled: sent !== '',
    placeholderData: keepPrevious,
  });
  const { searches, add, remove } = useRecentSearches();
  const hasFound = found.data?.name === trimmed && found.data.items.length > 0;
  const save = () => {
    if (hasFound && searches[0] !== trimmed) add(trimmed);
  };
  const onStayed = useEffectEvent(save);
  // The time restarts for another query.
  useEffect(() => {
    if (!hasFound) return;
    const timer = window.setTimeout(() => onStayed(), SAVE_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [hasFound, trimmed]);

  const changeQuery = (next: string, now = false) => {
    setTyped(next);
    setSent(now ? next.trim() : '');
    setQuery(
      before => {
        before.set('q', next);
        return before;
      },
      { replace: true, state: TYPED },
    );
  };
  const readEarly = useEffectEvent(() => {
    const early = field.current?.value ?? '';
    if (early !== typed) changeQuery(early);
  });
  // Letters that were typed into the server's page are in the field only.
  useEffect(() => readEarly(), []);

  return (
    <Shell title={t('search')} nav={nav}>
      <search className="search">
        <form
          action={paths.search()}
          onSubmit={event => {
            event.preventDefault();
            setSent(trimmed);
            save();
            // Closes the phone's keyboard, which covers the results.
            field.current?.blur();
          }}
        >
          <label htmlFor={id}>
            <h1>{t('search')}</h1>
          </label>
          <input
            ref={field}
            id={id}
            name="q"
            className="field"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={MAX_LENGTH}
            placeholder={placeholder}
            value={typed}
            onChange={({ target }) => changeQuery(target.value)}
          />
          <Plain>
            {SERVER_RENDERING && (
              <button type="submit" className="button plain-search">
                {t('search')}
              </button>
            )}
          </Plain>
        </form>
      </search>
      {trimmed ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link or button in it clicks as well
        // biome-ignore lint/a11y/noStaticElementInteractions: it only saves the search when a result is opened
        <div onClick={save}>
          {/* On a later page without scripts, the total is not known. */}
          {!(SERVER_RENDERING && query.has('after')) && (
            <Count found={found.data} query={trimmed} pages={found} />
          )}
          <Loaded query={found} skeleton={skeleton} empty="" isEmpty={() => false}>
            {data => children(data, found)}
          </Loaded>
        </div>
      ) : (
        <>
          <Recent
            placeholder={placeholder}
            searches={searches}
            onPick={each => changeQuery(each, true)}
            onRemove={remove}
          />
          {before}
        </>
      )}
    </Shell>
  );
}

/** A list under a heading, before a letter is typed; nothing while it is empty. */
export function SearchSection<T>({
  heading,
  list,
  children,
}: {
  heading: string;
  list: List<T> | undefined;
  children: (items: T[]) => ReactNode;
}) {
  if (!list?.items.length) return null;
  return (
    <section className="search-section">
      <h2>{heading}</h2>
      {children(list.items)}
    </section>
  );
}

/** The number of results, announced to screen readers. */
function Count<T>({ found, query, pages }: { found: List<T> | undefined; query: string; pages: Pages }) {
  const count = found?.items.length ?? 0;
  const words =
    found?.name !== query
      ? pages.error
        ? ''
        : t('searching')
      : count === 0
        ? t('nothing-found')
        : t(pages.hasNextPage ? 'found-more' : 'found', { count });
  return (
    <p className="search-count" role="status">
      {words}
    </p>
  );
}

type RecentProps = {
  placeholder: string;
  searches: string[];
  onPick: (words: string) => void;
  onRemove: (words: string) => void;
};

function Recent({ placeholder, searches, onPick, onRemove }: RecentProps) {
  return (
    <>
      <p className="search-count">{t('search-hint', { what: placeholder })}</p>
      {searches.length > 0 && (
        <section className="search-recent">
          <h2>{t('recent-searches')}</h2>
          <ul>
            {searches.map(each => (
              <li key={each}>
                <button type="button" className="nav-link" onClick={() => onPick(each)}>
                  {each}
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('remove-item', { title: each })}
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
