/**
 * Videos one after another on the whole screen: a swipe up leads to the next. It is a scroller that snaps. Five slides are in the document,
 * and three players at most: the one that plays, the one before it, and the next one with its first segment.
 */

import { type ComponentType, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { getSessionItem, setSessionItem } from '../../shared/session-storage';
import { brand } from '../brand';
import { rememberSeen, seenBefore, unseenFirst } from '../memory';
import { t } from '../messages';
import { paths } from '../paths';
import { useSession } from '../session';
import { isLiked, type Taste, tasteBefore } from '../taste';
import { BackIcon } from './BackIcon';
import { hasRoomFor } from './data-meter';
import { wantsLessData } from './device';
import type { Pages } from './EndlessList';
import { FeedPlayer } from './FeedPlayer';
import { FreeSeconds } from './FreeSeconds';
import { ChevronDownIcon, SoundIcon } from './icons';
import { loadErrorMessage } from './load-error';
import { getLocalItem, setLocalItem } from './local-storage';
import { Picture, resized } from './Picture';
import { Lock } from './PlayerGate';
import { useHome } from './SiteHeader';
import { useSnap } from './snap';
import './feed.css';

export type FeedVideo = {
  id: number;
  source: string;
  poster: string;
  title: string;
  /** Of the title, as of `langOf`. */
  lang: string | undefined;
  /** What it weighs. */
  note: string;
  /** Who made it, or its category. */
  by: { name: string; lang?: string | undefined; to: string; face?: string | undefined };
  /** What taste.ts calls them. */
  taste: string;
  captions: string | undefined;
  bytes: number;
  seconds: number;
  /** Its own page. */
  to: string;
};

type Props<T extends FeedVideo> = {
  videos: T[];
  pages: Pages;
  /** Buttons below a video. */
  Marks: ComponentType<{ video: T }>;
};

/** Slides on each side of the one on the screen that are in the document. */
const ASIDE = 2;
/** Videos before the end at which more are loaded. */
const NEAR_END = 5;
/** Pages that are loaded to come back to the place of this tab. */
const MOST_PAGES_BACK = 10;
/** Bytes: what a first segment weighs at most. */
const SEGMENT = 1_000_000;

const placeKey = () => `feed.${brand().label}`;
const SOUND = 'spaza.sound';

const keyOf = ({ id }: FeedVideo) => `film-${id}`;

export function Feed<T extends FeedVideo>({ videos: all, pages, Marks }: Props<T>) {
  const [before] = useState(() => new Set<string>(JSON.parse(seenBefore('feed'))));
  const [taste] = useState((): Taste => JSON.parse(tasteBefore('feed')));
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const videos = useMemo(() => unseenFirst(all, keyOf, before, hasNextPage), [all, before, hasNextPage]);
  const scroller = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(() => Number(getSessionItem(placeKey())) || 0);
  const [silent, setSilent] = useState(() => getLocalItem(SOUND) === 'off');
  const [refusedSound, setRefusedSound] = useState(false);
  const setSound = (on: boolean) => {
    setSilent(!on);
    setRefusedSound(false);
    setLocalItem(SOUND, on ? 'on' : 'off');
  };
  /** The one that plays, and has enough loaded to go on. */
  const [settled, setSettled] = useState<number>();
  const [refused, setRefused] = useState<number>();
  const count = videos.length;
  const home = useHome();

  const status = useStatus() ?? refused;
  const isUndecided = useSession() === undefined;

  const hasReturned = useReturn(place, count, pages, setPlace);

  const snap = useSnap(scroller, {
    axis: 'y',
    place,
    last: count,
    onPlace: next => {
      setPlace(next);
      setSessionItem(placeKey(), String(next));
    },
    list: hasReturned ? 'feed' : undefined,
  });

  const shownNow = videos[place];
  useEffect(() => {
    if (shownNow && hasReturned) rememberSeen(keyOf(shownNow));
  }, [shownNow, hasReturned]);

  useEffect(() => {
    if (place >= count - NEAR_END && hasNextPage && !isFetchingNextPage && !isFetchNextPageError)
      fetchNextPage();
  }, [place, count, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  const mayFetchNext = settled === place && !wantsLessData() && hasRoomFor(SEGMENT);
  const from = Math.max(0, place - ASIDE);
  const shown = hasReturned ? videos.slice(from, place + ASIDE + 1) : [];
  return (
    <>
      <div className="feed-head">
        <Link className="icon-button" to={home} aria-label={t('home')}>
          <BackIcon />
        </Link>
        <p className="visually-hidden" role="status" lang={videos[place]?.lang}>
          {videos[place]?.title ?? t('the-end')}
        </p>
        {status === undefined && (
          <button
            type="button"
            className="icon-button feed-sound"
            aria-label={t('sound')}
            aria-pressed={!silent}
            onClick={() => setSound(silent)}
          >
            <SoundIcon />
          </button>
        )}
        <button
          type="button"
          className="icon-button feed-step feed-previous"
          aria-label={t('previous-video')}
          disabled={place === 0}
          onClick={() => snap.go(place - 1)}
        >
          <ChevronDownIcon />
        </button>
        <button
          type="button"
          className="icon-button feed-step"
          aria-label={t('next-video')}
          disabled={place === count}
          onClick={() => snap.go(place + 1)}
        >
          <ChevronDownIcon />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section ref={scroller} className="feed" tabIndex={0} aria-label={t('videos')} onScroll={snap.onScroll}>
        <ul style={snap.extent}>
          {shown.map((video, nth) => {
            const at = from + nth;
            const isNow = at === place;
            const hasPlayer =
              status === undefined &&
              !isUndecided &&
              (isNow || at === place - 1 || (at === place + 1 && mayFetchNext));
            return (
              <li key={video.id} style={snap.styleAt(at)} inert={!isNow}>
                <img className="feed-backdrop" src={resized(video.poster, 160)} alt="" />
                <div className="feed-picture">
                  {hasPlayer ? (
                    <FeedPlayer
                      video={video}
                      waits={!isNow}
                      silent={silent}
                      refusedSound={refusedSound}
                      onSilenced={() => {
                        setSilent(true);
                        setRefusedSound(getLocalItem(SOUND) !== 'off');
                      }}
                      onSound={() => setSound(true)}
                      onSettled={() => setSettled(at)}
                      onRefused={setRefused}
                    />
                  ) : (
                    Math.abs(at - place) < 2 && (
                      <Picture
                        src={video.poster}
                        alt=""
                        width={960}
                        height={540}
                        sizes="100vw"
                        max={960}
                        eager
                      />
                    )
                  )}
                  {isNow && status !== undefined && <FreeSeconds picture={video.poster} />}
                </div>
                <div className="feed-foot">
                  <Link className="feed-by" to={video.by.to} lang={video.by.lang}>
                    {video.by.face !== undefined && (
                      <Picture
                        src={video.by.face}
                        alt=""
                        name={video.by.name}
                        width={96}
                        height={96}
                        sizes="44px"
                        max={160}
                      />
                    )}
                    {video.by.name}
                  </Link>
                  <h2>
                    <Link to={video.to} lang={video.lang}>
                      {video.title}
                    </Link>
                  </h2>
                  <p>{video.note}</p>
                  {isLiked(video.taste, taste) && (
                    <p className="because">{t('because-liked', { name: video.by.name })}</p>
                  )}
                  {isNow && (
                    <div className="marks">
                      <Marks video={video} />
                    </div>
                  )}
                </div>
              </li>
            );
          })}
          {place + ASIDE >= count && (
            <li key="end" className="feed-end" style={snap.styleAt(count)} inert={place !== count}>
              <End pages={pages} count={count} onAgain={() => snap.go(0)} />
            </li>
          )}
        </ul>
      </section>
      {status !== undefined && place < count && (
        <div className="feed-lock">
          <Lock status={status} />
        </div>
      )}
    </>
  );
}

/** The status of a request for media without access; `undefined` if the visitor has access, or the session is still loading. */
function useStatus(): number | undefined {
  const session = useSession();
  if (session === null) return 401;
  if (session === undefined || session === 'unreachable' || session.state === 'active') return undefined;
  return 403;
}

/**
 * Loads the pages up to the place where this tab was. Answers whether they are there; where they cannot be, the last video takes its place.
 */
function useReturn(wanted: number, count: number, pages: Pages, show: (place: number) => void): boolean {
  const [first] = useState(count);
  const isThere = wanted < count;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages;
  const goesOn =
    !isThere && hasNextPage && !isFetchNextPageError && count < Math.max(first, 20) * (MOST_PAGES_BACK + 1);
  const [hasReturned, setReturned] = useState(false);
  if (!hasReturned && !goesOn && !isFetchingNextPage) {
    setReturned(true);
    if (!isThere) show(Math.max(0, count - 1));
  }
  const fetches = !hasReturned && goesOn && !isFetchingNextPage;
  useEffect(() => {
    if (fetches) fetchNextPage();
  }, [fetches, fetchNextPage]);
  return hasReturned;
}

function End({ pages, count, onAgain }: { pages: Pages; count: number; onAgain: () => void }): ReactNode {
  if (pages.isFetchNextPageError && !pages.isFetchingNextPage)
    return (
      <div role="alert">
        <p>{loadErrorMessage(pages.error)}</p>
        <button type="button" className="button" onClick={pages.fetchNextPage}>
          {t('try-again')}
        </button>
      </div>
    );
  if (pages.hasNextPage) return <p>{t('loading-more')}</p>;
  return (
    <div>
      <p>{t('videos-end', { count })}</p>
      <button type="button" className="button" onClick={onAgain}>
        {t('from-the-beginning')}
      </button>
      <p>
        <Link to={paths.root()}>{t('go-home')}</Link>
      </p>
    </div>
  );
}
