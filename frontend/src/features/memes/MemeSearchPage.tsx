/** Searches memes by title and category. */

import { segment } from '../../api/client';
import { searchQuery } from '../../api/search';
import type { Meme } from '../../api/types';
import { brand } from '../../brand';
import { t } from '../../messages';
import { Search } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { MEMES } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav } from './MemeNav';
import './memes.css';

export default function MemeSearchPage() {
  return (
    <Search
      nav={<MemeNav flag="1" />}
      placeholder={t('search-memes')}
      find={words =>
        searchQuery<Meme>([...MEMES, 'search'], `/api/meme/search/${segment(brand().service)}`, words)
      }
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
