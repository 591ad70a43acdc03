/** The memes of one category. The address says whether the visitor may like. */

import { useParams } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { useLeftAtOnce } from '../../taste';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { categoryQuery, mineQuery } from './api';
import { MemeGrid } from './MemeGrid';
import { MemeNav } from './MemeNav';
import './memes.css';

export const page: PageOf = ({ id = '' }) => ({
  name: 'meme-category',
  queries: [categoryQuery(id)],
  own: [mineQuery],
  list: true,
});

export default function MemeCategoryPage() {
  const { count, id = '' } = useParams();
  const flag = count === '1' ? '1' : '0';
  const category = useInfiniteQuery(categoryQuery(id));
  useLeftAtOnce(`category-${id}`);
  const heading = category.data?.name.toUpperCase() ?? t('MEMES');

  return (
    <Shell title={heading} nav={<MemeNav flag={flag} />}>
      <h1 className="page-heading" lang={category.data && langOf(category.data.lang)}>
        {heading}
      </h1>
      <Loaded
        query={category}
        skeleton={
          <div className="grid grid-memes">
            <CardSkeletons count={12} shape="portrait" />
          </div>
        }
        empty={t('no-memes-here')}
      >
        {({ items }) => <MemeGrid key={id} memes={items} pages={category} flag={flag} dated category={id} />}
      </Loaded>
    </Shell>
  );
}
