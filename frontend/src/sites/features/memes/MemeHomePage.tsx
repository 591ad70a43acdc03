/** Random memes. By the specification the flag is always '1' here. */

import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { Menu } from '../../ui/Menu';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { categoriesQuery, mineQuery, randomQuery } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav, useCategoryItems } from './MemeNav';
import './memes.css';

const FLAG = '1';

export const page: PageOf = () => ({
  name: 'meme-home',
  queries: [randomQuery, categoriesQuery],
  own: [mineQuery],
});

export default function MemeHomePage() {
  const memes = useInfiniteQuery(randomQuery);
  const categories = useCategoryItems(FLAG);

  return (
    <Shell title={brand().name} nav={<MemeNav flag={FLAG} />}>
      <div className="meme-hero">
        <h1>{t('meme-welcome')}</h1>
        <p>{t('meme-start')}</p>
        <Menu
          label={t('browse-category')}
          {...categories}
          empty={t('no-categories')}
          className="menu-large"
        />
      </div>
      <Loaded
        query={memes}
        skeleton={
          <div className="grid grid-memes">
            <CardSkeletons count={12} shape="portrait" />
          </div>
        }
        empty={t('no-memes')}
      >
        {({ items }) => <MemeGrid memes={items} pages={memes} />}
      </Loaded>
    </Shell>
  );
}
