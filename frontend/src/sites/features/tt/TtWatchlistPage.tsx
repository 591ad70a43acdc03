/** The visitor's watchlist with pictures. */

import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { WatchlistItem } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { brand } from '../../brand';
import { langOf, t } from '../../messages';
import type { PageOf } from '../../page';
import { paths } from '../../paths';
import { useSession } from '../../session';
import { EndlessList } from '../../ui/EndlessList';
import { CrossIcon, PlusIcon } from '../../ui/icons';
import { MarkForm } from '../../ui/MarkForm';
import { PriceLine } from '../../ui/PriceLine';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded, Notice } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ConfirmButton } from '../../ui/VisitorBar';
import { useVisitor } from '../../visitor';
import { watchlistQuery } from './api';
import { TtNav } from './TtNav';
import { type Change, useWatchlistChange } from './watchlist';
import '../../ui/card-remove.css';
import './tt.css';
import './watchlist.css';

export const page: PageOf = () => ({
  name: 'tt-watchlist',
  own: [watchlistQuery(brand().service)],
  list: true,
});

export default function TtWatchlistPage() {
  const { service } = brand();
  return (
    <Shell title={t('watchlist')} nav={<TtNav service={service} />}>
      <h1 className="page-heading">{t('watchlist')}</h1>
      <Watchlist service={service} />
    </Shell>
  );
}

/** The gateway embeds these. */
const FIRST_ITEMS = 24;

const Skeleton = () => (
  <div className="grid grid-videos">
    <CardSkeletons count={8} shape="wide" />
  </div>
);

function Watchlist({ service }: { service: string }) {
  const session = useSession();
  const list = useInfiniteQuery({
    ...watchlistQuery(service),
    enabled: session !== null && session !== undefined,
  });
  const change = useWatchlistChange(service);
  const [removed, setRemoved] = useState<Change>();
  const undo = useRef<HTMLButtonElement>(null);
  // The button that removed it is gone, and the focus must not go with it.
  useEffect(() => {
    if (removed) undo.current?.focus({ preventScroll: true });
  }, [removed]);

  if (session === null) return <NoSession />;
  return (
    <>
      <Loaded
        query={list}
        skeleton={<Skeleton />}
        empty={
          <>
            <p>{t('watchlist-empty-hint')}</p>
            <Link className="button" to={paths.root()}>
              {t('find-something')}
            </Link>
          </>
        }
      >
        {({ items }) => (
          <EndlessList
            className="grid grid-videos"
            items={items}
            idOf={({ videoid }) => videoid}
            pages={list}
            first={FIRST_ITEMS}
          >
            {(item, place) => (
              <Item
                item={item}
                service={service}
                eager={place < 2}
                onRemove={() => {
                  const removal = { item, place, on: false };
                  change(removal);
                  setRemoved(removal);
                }}
              />
            )}
          </EndlessList>
        )}
      </Loaded>
      <div className="undo" role="status" hidden={!removed}>
        {removed && (
          <>
            <p>{t('removed', { title: removed.item.name })}</p>
            <button
              ref={undo}
              type="button"
              className="button"
              onClick={() => {
                change({ ...removed, on: true });
                setRemoved(undefined);
                document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
              }}
            >
              {t('undo')}
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={t('close')}
              onClick={() => setRemoved(undefined)}
            >
              <CrossIcon />
            </button>
          </>
        )}
      </div>
    </>
  );
}

type ItemProps = { item: WatchlistItem; service: string; eager: boolean; onRemove: () => void };

function Item({ item, service, eager, onRemove }: ItemProps) {
  return (
    <div className="kept">
      <VideoCard
        to={paths.ttVideo(item.videoid, service)}
        image={item.imgurl}
        title={item.name}
        lang={langOf(item.name_lang)}
        note={item.artist}
        seconds={item.duration_s}
        bytes={item.bytes}
        eager={eager}
      />
      <MarkForm
        className="card-remove"
        name="watch"
        value={item.videoid}
        on
        place="main"
        aria-label={t('remove-from-watchlist', { title: item.name })}
        onToggle={onRemove}
      >
        <CrossIcon />
      </MarkForm>
    </div>
  );
}

function NoSession() {
  const { active } = useVisitor();
  return (
    <Notice>
      <PlusIcon />
      <p>{active ? t('confirm-to-keep') : t('join-to-keep', { name: brand().name })}</p>
      {active ? (
        <ConfirmButton />
      ) : (
        <>
          <PriceLine />
          <Link className="button" to={paths.join()}>
            {t('JOIN')}
          </Link>
        </>
      )}
    </Notice>
  );
}
