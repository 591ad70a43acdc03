/** Searches every video of the service by title, artist and category. */

import { Link } from 'react-router';
import type { TtVideo } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { EndlessList, type Pages } from '../../ui/EndlessList';
import { Search, SearchSection } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { categoriesQuery, foundQuery, mostLikedQuery, newestQuery } from './api';
import { TtNav } from './TtNav';
import './tt.css';

export const page: PageOf = ({ q }) => ({
  name: 'tt-search',
  queries: [...(q ? [foundQuery(brand().service, q)] : []), categoriesQuery(brand().service)],
  list: true,
});

export default function TtSearchPage() {
  const { service } = brand();
  const categories = useInfiniteQuery(categoriesQuery(service));
  const mostLiked = useInfiniteQuery(mostLikedQuery(service));
  const newest = useInfiniteQuery(newestQuery(service));
  return (
    <Search
      nav={<TtNav service={service} />}
      placeholder={t('search-videos')}
      find={words => foundQuery(service, words)}
      skeleton={
        <div className="grid grid-videos">
          <CardSkeletons count={6} shape="wide" />
        </div>
      }
      before={
        <>
          <EndlessList
            className="search-faces search-categories"
            items={categories.data?.items ?? []}
            idOf={({ id }) => id}
            pages={categories}
            quiet
          >
            {({ id, category_name, category_name_lang }) => (
              <Link className="mark" to={paths.ttCategory(id, service)} lang={langOf(category_name_lang)}>
                {category_name}
              </Link>
            )}
          </EndlessList>
          <SearchSection heading={t('most-liked')} list={mostLiked.data}>
            {items => <Videos items={items} service={service} />}
          </SearchSection>
          <SearchSection heading={t('newest')} list={newest.data}>
            {items => <Videos items={items} pages={newest} service={service} />}
          </SearchSection>
        </>
      }
    >
      {({ items, name }, pages) => <Videos key={name} items={items} pages={pages} service={service} />}
    </Search>
  );
}

function Videos({ items, pages, service }: { items: TtVideo[]; pages?: Pages; service: string }) {
  return (
    <EndlessList className="grid grid-videos" items={items} idOf={({ id }) => id} pages={pages}>
      {each => (
        <VideoCard
          to={paths.ttVideo(each.id, service)}
          image={each.imgurl}
          title={each.name}
          lang={langOf(each.name_lang)}
          note={<span lang={langOf(each.category_lang)}>{each.category}</span>}
          seconds={each.duration_s}
          bytes={each.bytes}
        />
      )}
    </EndlessList>
  );
}
