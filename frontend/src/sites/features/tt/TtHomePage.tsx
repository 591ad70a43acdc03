/** The home of video on demand: banners, and one row of videos per category. */

import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { openOptIn, useFlag } from '../../session';
import { useContinueWatching } from '../../ui/continue-watching';
import { EndlessList } from '../../ui/EndlessList';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { useService } from '../../visitor';
import { bannersQuery, categoryVideosQuery, watchlistQuery } from './api';
import { Banners } from './Banners';
import { TtNav } from './TtNav';
import { VideoRow } from './VideoRow';
import './tt.css';

/** Rows that fit below the banner on a wide screen; the server renders these. */
const FIRST_ROWS = 3;
/** Rows in the document at a time: each holds many cards. */
const MAX_ROWS = 10;

export const page: PageOf = () => ({
  name: 'tt-home',
  queries: [categoryVideosQuery(brand().service), bannersQuery(brand().service)],
  own: [watchlistQuery(brand().service)],
  list: true,
});

export default function TtHomePage() {
  const { name } = brand();
  const service = useService();
  const flag = useFlag();
  const groups = useInfiniteQuery(categoryVideosQuery(service));
  const continueWatching = useContinueWatching();
  const openCategory = (event: MouseEvent, page: string) => {
    if (flag === '1') return;
    event.preventDefault();
    openOptIn(page);
  };
  return (
    <Shell title={name} nav={<TtNav service={service} />}>
      <h1 className="visually-hidden">{name}</h1>
      <Banners service={service} />
      <Loaded query={groups} skeleton={<RowSkeletons />} empty={t('nothing-to-watch')}>
        {({ items }) => (
          <EndlessList
            className=""
            items={items}
            idOf={({ id }) => id}
            pages={groups}
            first={FIRST_ROWS}
            most={MAX_ROWS}
          >
            {({ category, videos }, place) => (
              <>
                <VideoRow
                  label={category.category_name}
                  heading={
                    <h2>
                      <Link
                        to={paths.ttCategory(category.id, service)}
                        lang={langOf(category.category_name_lang)}
                        onClick={event => openCategory(event, paths.ttCategory(category.id, service))}
                      >
                        {category.category_name}
                      </Link>
                    </h2>
                  }
                  videos={videos}
                  service={service}
                  eager={place === 0}
                />
                {/* Below the rows that the server rendered on a phone's first screen, so that nothing visible moves. */}
                {place === Math.min(1, items.length - 1) && continueWatching}
              </>
            )}
          </EndlessList>
        )}
      </Loaded>
    </Shell>
  );
}

function RowSkeletons() {
  return ['first', 'second', 'third'].map(row => (
    <div key={row} className="carousel">
      <div className="carousel-head">
        <div className="skeleton skeleton-line skeleton-title" />
      </div>
      <div className="carousel-list">
        <CardSkeletons count={4} shape="wide" />
      </div>
    </div>
  ));
}
