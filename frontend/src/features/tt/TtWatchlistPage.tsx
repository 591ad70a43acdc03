/** The visitor's watchlist with pictures. */
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from '../../api/query-client';
import type { WatchlistItem } from '../../api/types';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { useSession } from '../../session';
import { EndlessList } from '../../ui/EndlessList';
import { CrossIcon, PlusIcon } from '../../ui/icons';
import { useNearViewport } from '../../ui/near-viewport';
import { PriceLine } from '../../ui/PriceLine';
import { Shell } from '../../ui/Shell';
import { CardSkeletons, Loaded, Notice } from '../../ui/States';
import { VideoCard } from '../../ui/VideoCard';
import { ConfirmButton } from '../../ui/VisitorBar';
import { useVisitor } from '../../visitor';
import { videoQuery, watchlistQuery } from './api';
import { NoScriptWatchlist } from './NoScriptWatchlist';
import { TtNav } from './TtNav';
import { type Change, useWatchlistChange } from './watchlist';
import './tt.css';
import './watchlist.css';

export default function TtWatchlistPage() {
  const { service } = brand();
  return (
    <Shell title="Watchlist" nav={<TtNav service={service} />}>
      <h1 className="page-heading">Watchlist</h1>
      {SERVER_RENDERING ? <NoScriptWatchlist service={service} /> : <Watchlist service={service} />}
    </Shell>
  );
}

const Skeleton = () => (
  <div className="grid grid-videos">
    <CardSkeletons count={8} shape="wide" />
  </div>
);

function Watchlist({ service }: { service: string }) {
  const session = useSession();
  const list = useQuery({ ...watchlistQuery(service), enabled: session !== null && session !== undefined });
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
            <p>Your watchlist is empty. Tap Watchlist below a video, and it is kept here.</p>
            <Link className="button" to={paths.root()}>
              Find something to watch
            </Link>
          </>
        }
      >
        {items => (
          <EndlessList className="grid grid-videos" items={items} idOf={({ videoid }) => videoid}>
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
            <p>Removed: {removed.item.name}</p>
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
              Undo
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label="Close"
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

/** The list has names alone; the rest comes from the video itself when its card is near the screen. */
function Item({ item: { videoid, name }, service, eager, onRemove }: ItemProps) {
  const box = useRef<HTMLDivElement>(null);
  const near = useNearViewport(box, eager);
  const { data: video } = useQuery({ ...videoQuery(String(videoid)), enabled: near });
  return (
    <div ref={box} className="kept">
      <VideoCard
        key={video?.imgurl ?? ''}
        to={paths.ttVideo(videoid, service)}
        image={video?.imgurl ?? ''}
        title={name}
        note={video?.artist ?? '\u00a0'}
        seconds={video?.duration_s}
        bytes={video?.bytes}
        eager={eager && video !== undefined}
      />
      <button
        type="button"
        className="kept-remove"
        aria-label={`Remove ${name} from the watchlist`}
        onClick={onRemove}
      >
        <CrossIcon />
      </button>
    </div>
  );
}

function NoSession() {
  const { active } = useVisitor();
  return (
    <Notice>
      <PlusIcon />
      <p>
        {active ? "Confirm it's you to see your watchlist." : `Join ${brand().name} to keep a watchlist.`}
      </p>
      {active ? (
        <ConfirmButton />
      ) : (
        <>
          <PriceLine />
          <Link className="button" to={paths.join()}>
            JOIN
          </Link>
        </>
      )}
    </Notice>
  );
}
