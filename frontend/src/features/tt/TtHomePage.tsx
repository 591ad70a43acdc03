/** Banner, then one row of videos per category. */

import { type ComponentType, type MouseEvent, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { openOptIn, useFlag } from '../../session';
import { EndlessList } from '../../ui/EndlessList';
import { PlainMore } from '../../ui/PlainMore';
import { hasPlaces } from '../../ui/resume';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded } from '../../ui/States';
import { useService } from '../../visitor';
import { categoryVideosQuery } from './api';
import { Banners } from './Banners';
import { TtNav } from './TtNav';
import { VideoRow } from './VideoRow';
import './tt.css';

/** A wide screen shows no more below the banner. */
const ROWS = 3;
/** Each row has cards of its own. */
const MOST_ROWS = 10;

export default function TtHomePage() {
  const { name } = brand();
  const service = useService();
  const flag = useFlag();
  const groups = useInfiniteQuery(categoryVideosQuery(service));
  const [Begun, setBegun] = useState<ComponentType>();
  useEffect(() => {
    if (flag !== '1' || !hasPlaces()) return;
    import(/* webpackChunkName: "begun-row" */ './BegunRow').then(
      ({ BegunRow }) => setBegun(() => BegunRow),
      error => console.info('What was begun is not shown', error),
    );
  }, [flag]);
  const openCategory = (event: MouseEvent) => {
    if (flag === '1') return;
    event.preventDefault();
    openOptIn();
  };
  return (
    <Shell title={name} nav={<TtNav service={service} />}>
      <h1 className="visually-hidden">{name}</h1>
      <Banners service={service} />
      <Loaded query={groups} skeleton={<RowSkeletons />} empty="Nothing to watch yet. Come back soon.">
        {({ items }) => (
          <EndlessList
            className=""
            items={items}
            idOf={({ id }) => id}
            pages={groups}
            first={ROWS}
            most={MOST_ROWS}
          >
            {({ category, videos }, place) => (
              <>
                <VideoRow
                  label={category.category_name}
                  heading={
                    <h2>
                      <Link to={paths.ttCategory(category.id, service)} onClick={openCategory}>
                        {category.category_name}
                      </Link>
                    </h2>
                  }
                  videos={videos}
                  service={service}
                  eager={place === 0}
                />
                {/* Below what the server has drawn on a phone's screen: nothing in sight moves. */}
                {Begun && place === Math.min(1, items.length - 1) && <Begun />}
              </>
            )}
          </EndlessList>
        )}
      </Loaded>
      <noscript>{SERVER_RENDERING && <PlainMore list={groups.data?.items} shown={ROWS} />}</noscript>
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
