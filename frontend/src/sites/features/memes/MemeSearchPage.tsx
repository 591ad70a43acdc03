/** Searches memes by title and category. */

import { t } from '../../messages';
import type { PageOf } from '../../page';
import { Search } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { categoriesQuery, foundQuery } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav } from './MemeNav';
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
    >
      {({ items, name }, pages) => <MemeGrid key={name} memes={items} pages={pages} />}
    </Search>
  );
}
