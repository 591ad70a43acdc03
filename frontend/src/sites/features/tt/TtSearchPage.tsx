/** Searches every video of the service by title, artist and category. */

import { Link } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { EndlessList } from '../../ui/EndlessList';
import { Search } from '../../ui/Search';
import { CardSkeletons } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { categoriesQuery, categoryVideosQuery, foundQuery } from './api';
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
          <FirstVideos service={service} />
        </>
      }
    >
      {({ items, name }, pages) => (
        <EndlessList
          key={name}
          className="grid grid-videos"
          items={items}
          idOf={({ id }) => id}
          pages={pages}
        >
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
      )}
    </Search>
  );
}

/** The first video of each category. */
function FirstVideos({ service }: { service: string }) {
  const groups = useInfiniteQuery(categoryVideosQuery(service));
  return (
    <EndlessList
      className="grid grid-videos"
      items={groups.data?.items ?? []}
      idOf={({ id }) => id}
      pages={groups}
      quiet
    >
      {({ category, videos: [video] }) =>
        video && (
          <VideoCard
            to={paths.ttVideo(video.id, service)}
            image={video.imgurl}
            title={video.name}
            lang={langOf(video.name_lang)}
            note={<span lang={langOf(category.category_name_lang)}>{category.category_name}</span>}
            seconds={video.duration_s}
            bytes={video.bytes}
          />
        )
      }
    </EndlessList>
  );
}
