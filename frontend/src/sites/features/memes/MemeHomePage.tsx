/** Random memes. By the specification the flag is always '1' here. */

import { useMemo } from 'react';
import type { Meme } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { useHydrated } from '../../hydration';
import { seenBefore, unseenFirst } from '../../memory';
import { t } from '../../messages';
import type { PageOf } from '../../page';
import { byTaste, isLiked, NO_TASTE, type Taste, tasteBefore } from '../../taste';
import { Menu } from '../../ui/Menu';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { categoriesQuery, mineQuery, randomQuery, seenAs, tasteOf } from './api';
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
  const seen = useHydrated(() => seenBefore('memes', 'document'), '[]');
  const learned = useHydrated(() => tasteBefore('memes', 'document'), NO_TASTE);
  const { before, taste } = useMemo(
    () => ({ before: new Set<string>(JSON.parse(seen)), taste: JSON.parse(learned) as Taste }),
    [seen, learned],
  );
  const { data: draws, hasNextPage } = memes;
  const ordered = useMemo(() => {
    const { items = [], first = 0 } = draws ?? {};
    const all = [...byTaste(items.slice(0, first), tasteOf, taste), ...items.slice(first)];
    return unseenFirst(all, seenAs, before, hasNextPage);
  }, [draws, taste, before, hasNextPage]);
  const because = (meme: Meme) => {
    const category = categories.items?.find(({ key }) => key === meme.category_id);
    return category && isLiked(tasteOf(meme), taste) ? category.label : undefined;
  };

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
        {() => <MemeGrid memes={ordered} pages={memes} because={because} />}
      </Loaded>
    </Shell>
  );
}
