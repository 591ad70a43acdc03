/** Searches memes by title and category. */

import { Link } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { EndlessList } from '../../ui/EndlessList';
import { Search, SearchSection } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { categoriesQuery, foundQuery, mostLikedQuery, newestQuery } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav } from './MemeNav';
import { useShownMeme } from './shown-meme';
import './memes.css';

export const page: PageOf = ({ q }) => ({
  name: 'meme-search',
  queries: [...(q ? [foundQuery(q)] : []), categoriesQuery],
  list: true,
});

export default function MemeSearchPage() {
  return (
    <Search
      nav={<MemeNav flag="1" />}
      placeholder={t('search-memes')}
      find={foundQuery}
      skeleton={
        <div className="grid grid-memes">
          <CardSkeletons count={6} shape="portrait" />
        </div>
      }
      before={
        <>
          <Categories />
          <LikedAndNew />
        </>
      }
    >
      {({ items, name }, pages) => <MemeGrid key={name} memes={items} pages={pages} />}
    </Search>
  );
}

function Categories() {
  const categories = useInfiniteQuery(categoriesQuery);
  return (
    <EndlessList
      className="search-faces search-categories"
      items={categories.data?.items ?? []}
      idOf={({ id }) => id}
      pages={categories}
      quiet
    >
      {({ id, name, name_lang }) => (
        <Link className="mark" to={paths.memeCategory('1', id, brand().service)} lang={langOf(name_lang)}>
          {name}
        </Link>
      )}
    </EndlessList>
  );
}

/** A meme is in one of the lists: each card has an id, and one grid shows the open meme. */
function LikedAndNew() {
  const mostLiked = useInfiniteQuery(mostLikedQuery());
  const newest = useInfiniteQuery(newestQuery());
  const shown = useShownMeme();
  const isLiked = (id: number) => mostLiked.data?.items.some(meme => meme.id === id) ?? false;
  return (
    <>
      <SearchSection heading={t('most-liked')} list={mostLiked.data}>
        {items => <MemeGrid memes={items} opens={isLiked(shown.id)} />}
      </SearchSection>
      <SearchSection heading={t('newest')} list={newest.data}>
        {items => (
          <MemeGrid
            memes={items.filter(({ id }) => !isLiked(id))}
            pages={newest}
            opens={!isLiked(shown.id)}
          />
        )}
      </SearchSection>
    </>
  );
}
