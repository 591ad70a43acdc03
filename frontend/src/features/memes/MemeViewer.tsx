/** One meme, as large as the screen allows; a finger swipes to the ones beside it. Fetched when the first one is opened. */

import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useInfiniteQuery } from '../../api/query-client';
import type { Meme } from '../../api/types';
import { t } from '../../messages';
import { BackIcon } from '../../ui/BackIcon';
import { wantsLessData, wantsLessMotion } from '../../ui/device';
import type { Pages } from '../../ui/EndlessList';
import { CrossIcon, NextIcon, ShareIcon } from '../../ui/icons';
import { useModal } from '../../ui/modal';
import { Picture } from '../../ui/Picture';
import { categoryFromQuery } from './api';
import { useShownMeme } from './shown-meme';
import './meme-viewer.css';

type Props = {
  /** The list it was opened from, and where more of it comes from. */
  memes: Meme[];
  pages: Pages | undefined;
  category: string | undefined;
  heart: (meme: Meme) => ReactNode;
  onShare: (meme: Meme) => void;
};

/** Memes on each side that a finger can reach before the strip is laid out anew. */
const ASIDE = 2;

/** Memes before the end of the list at which more are loaded. */
const NEAR_END = 6;

/** Milliseconds without scrolling after which a swipe is over, where the browser does not say so itself. */
const SETTLED_MS = 90;
const HAS_SCROLL_END = 'onscrollend' in window;

/** A link may name a meme that the list does not have, or has further down: then the category is read from there. */
export function MemeViewer({ memes, pages, category = '', ...props }: Props) {
  const { id, state, searchWith } = useShownMeme();
  const { under, meme: opened } = state;
  const navigate = useNavigate();
  const go = (meme?: Meme) =>
    navigate(
      { search: searchWith(meme, category !== '') },
      { replace: true, state: meme && { under, meme } },
    );

  const isOfList = (list: Meme[]) => list.some(meme => meme.id === id);
  const isListed = isOfList(memes);
  const [first] = useState(id);
  const from = useInfiniteQuery({
    ...categoryFromQuery(category, first),
    enabled: !isListed && category !== '',
  });
  const others = from.data?.items ?? [];
  const [list, more] = isListed
    ? [memes, pages]
    : isOfList(others)
      ? [others, from]
      : [opened ? [opened] : [], undefined];
  const meme = list.find(each => each.id === id);
  if (!meme) return null;
  return (
    <Viewer
      {...props}
      memes={list}
      pages={more}
      meme={meme}
      onShow={go}
      onClose={() => (under ? navigate(-1) : go())}
    />
  );
}

type ViewerProps = Omit<Props, 'category'> & {
  meme: Meme;
  /** Another one in its place: Back still leads to the list. */
  onShow: (meme: Meme) => void;
  onClose: () => void;
};

function Viewer({ memes, pages, meme, heart, onShare, onShow, onClose }: ViewerProps) {
  const { dialog, close } = useModal(onClose);
  const strip = useRef<HTMLUListElement>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const place = memes.indexOf(meme);
  const from = Math.max(0, place - ASIDE);
  const within = memes.slice(from, place + ASIDE + 1);
  const before = memes[place - 1];
  const after = memes[place + 1];

  const lessData = wantsLessData();
  const isNearEnd = place >= memes.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd && pages?.hasNextPage && !pages.isFetchingNextPage && !pages.isFetchNextPageError)
      pages.fetchNextPage();
  }, [isNearEnd, pages]);

  // The shown one is in the middle again, without a movement.
  useLayoutEffect(() => {
    const list = strip.current;
    if (list) list.scrollLeft = (place - from) * list.clientWidth;
  }, [meme.id, place, from]);

  const settle = () => {
    const list = strip.current;
    if (!list?.clientWidth) return;
    const at = list.scrollLeft / list.clientWidth;
    const reached = within[Math.round(at)];
    // Half way the finger is still down.
    if (reached && reached !== meme && Math.abs(at - Math.round(at)) < 0.02) onShow(reached);
  };
  const settleLater = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(settle, SETTLED_MS);
  };

  const step = (to: Meme | undefined, by: 1 | -1) => {
    const list = strip.current;
    if (!to || !list) return;
    if (wantsLessMotion()) return onShow(to);
    list.scrollTo({ left: (place - from + by) * list.clientWidth, behavior: 'smooth' });
  };
  // A screen that is turned has another width.
  useEffect(() => {
    const turned = () => {
      const list = strip.current;
      if (list) list.scrollLeft = (place - from) * list.clientWidth;
    };
    window.addEventListener('resize', turned);
    return () => window.removeEventListener('resize', turned);
  }, [place, from]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    // The browser would scroll by a few pixels.
    event.preventDefault();
    if (event.key === 'ArrowLeft') step(before, -1);
    else step(after, 1);
  };

  return (
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={meme.title}
      onClick={event => event.target === dialog.current && close()}
      onKeyDown={onKeyDown}
    >
      <div className="viewer-box">
        <ul
          ref={strip}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          className="viewer-strip"
          onScroll={HAS_SCROLL_END ? undefined : settleLater}
          onScrollEnd={settle}
        >
          {within.map(each => (
            <li key={each.id} aria-hidden={each !== meme}>
              {(each === meme || (!lessData && (each === before || each === after))) && (
                <Picture
                  src={each.image}
                  alt={each.title}
                  width={640}
                  height={800}
                  sizes="92vw"
                  max={960}
                  eager
                />
              )}
            </li>
          ))}
        </ul>
        <div className="viewer-foot">
          <h2 aria-live="polite">{meme.title}</h2>
          {heart(meme)}
          <button
            type="button"
            className="icon-button"
            aria-label={t('share-item', { title: meme.title })}
            onClick={() => onShare(meme)}
          >
            <ShareIcon />
          </button>
          <button type="button" className="icon-button" aria-label={t('close')} onClick={close}>
            <CrossIcon />
          </button>
        </div>
        {before && (
          <button
            type="button"
            className="viewer-step"
            data-side="left"
            aria-label={t('previous-meme')}
            onClick={() => step(before, -1)}
          >
            <BackIcon />
          </button>
        )}
        {after && (
          <button
            type="button"
            className="viewer-step"
            data-side="right"
            aria-label={t('next-meme')}
            onClick={() => step(after, 1)}
          >
            <NextIcon />
          </button>
        )}
      </div>
    </dialog>
  );
}
