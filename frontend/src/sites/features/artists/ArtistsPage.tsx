/** All artists from A to Z, with faces; a letter or a part of a name chooses among them. */

import { useEffect, useId, useMemo, useState } from 'react';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { EndlessList } from '../../ui/EndlessList';
import { Plain } from '../../ui/Plain';
import { Shell } from '../../ui/Shell';
import { Loaded } from '../../ui/States';
import { ArtistChip } from './ArtistChip';
import { ArtistLinks } from './ArtistLinks';
import { artistsQuery } from './api';
import { ownKind } from './artist-kinds';
import { foldName, letterOf, sortedByName } from './by-name';
import { PlainArtists } from './PlainArtists';
import '../../ui/search.css';
import './artists.css';
import './artists-page.css';

export const page: PageOf = () => ({
  name: `${brand().kind}-artists`,
  queries: [artistsQuery(ownKind(), brand().service)],
  list: true,
});

export default function ArtistsPage() {
  const { service } = brand();
  const kind = ownKind();
  const artists = useInfiniteQuery(artistsQuery(kind, service));
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = artists;
  const id = useId();
  const [typed, setTyped] = useState('');
  const [letter, setLetter] = useState('');

  const goesOn = hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) fetchNextPage();
  }, [goesOn, isFetchingNextPage, fetchNextPage]);

  const all = useMemo(() => sortedByName(data?.items ?? []), [data]);
  const letters = [...new Set(all.map(letterOf))];
  const words = foldName(typed.trim());
  const shown = all.filter(
    each => foldName(each.artist).includes(words) && (letter === '' || letterOf(each) === letter),
  );
  return (
    <Shell title={t(kind.plural)} nav={<ArtistLinks kind={kind} service={service} />}>
      <Plain>
        {SERVER_RENDERING && <PlainArtists artists={data?.items ?? []} kind={kind} service={service} />}
      </Plain>
      <div className="artists-page">
        <label htmlFor={id}>
          <h1 className="page-heading">{t(kind.plural)}</h1>
        </label>
        <input
          id={id}
          className="field"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          placeholder={t('find-name')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setLetter('');
          }}
        />
        <Loaded query={artists} skeleton={<ChipSkeletons />} empty={t('come-back')}>
          {() =>
            // The order of a part would be another one.
            goesOn ? (
              <ChipSkeletons />
            ) : (
              <>
                <fieldset>
                  <legend className="visually-hidden">{t('first-letter')}</legend>
                  <div className="artists-letters">
                    {letters.map(each => (
                      <button
                        key={each}
                        type="button"
                        aria-pressed={each === letter}
                        onClick={() => {
                          setLetter(each === letter ? '' : each);
                          setTyped('');
                        }}
                      >
                        {each}
                      </button>
                    ))}
                  </div>
                </fieldset>
                <p className="search-count" role="status">
                  {shown.length > 0 ? t('found', { count: shown.length }) : t('nothing-found')}
                </p>
                <EndlessList
                  key={`${letter} ${words}`}
                  className="search-faces"
                  items={shown}
                  idOf={each => each.id}
                  pages={isFetchNextPageError ? artists : undefined}
                >
                  {each => <ArtistChip artist={each} kind={kind} service={service} />}
                </EndlessList>
              </>
            )
          }
        </Loaded>
      </div>
    </Shell>
  );
}

function ChipSkeletons() {
  return (
    <div className="search-faces">
      {['one', 'two', 'three', 'four', 'five', 'six'].map(each => (
        <div key={each} className="artist-chip skeleton" />
      ))}
    </div>
  );
}
