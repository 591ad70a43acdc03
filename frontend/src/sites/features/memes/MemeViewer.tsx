/** One meme, as large as the screen allows; a finger swipes aside or up to the next one. Fetched when the first one is opened. */

import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Meme } from '../../../shared/contract/sites';
import { useInfiniteQuery } from '../../api/query-client';
import { langOf, t } from '../../messages';
import { BackIcon } from '../../ui/BackIcon';
import { wantsLessData } from '../../ui/device';
import type { Pages } from '../../ui/EndlessList';
import { CrossIcon, NextIcon, SaveIcon, ShareIcon } from '../../ui/icons';
import { useModal } from '../../ui/modal';
import { Picture, resized } from '../../ui/Picture';
import { useSnap } from '../../ui/snap';
import { categoryFromQuery } from './api';
import { pictureName, useShownMeme } from './shown-meme';
import './meme-viewer.css';

type Props = {
  /** The list it was opened from, and where more of it comes from. */
  memes: Meme[];
  pages: Pages | undefined;
  category: string | undefined;
  heart: (meme: Meme) => ReactNode;
  onShare: (meme: Meme) => void;
};

/** Pixels that a finger moves up or down to the meme after or before. */
const SWIPE_DISTANCE = 60;

/** What the meme's card shows already: it stands there until the larger picture has loaded. */
const shownOnCard = (id: number): string =>
  document.querySelector<HTMLImageElement>(`#meme-${id} img.picture`)?.currentSrc ?? '';

/** Memes on each side that are in the document. */
const ASIDE = 2;

/** Memes before the end of the list at which more are loaded. */
const NEAR_END = 6;

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
  const strip = useRef<HTMLDivElement>(null);
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

  const snap = useSnap(strip, {
    axis: 'x',
    place,
    last: memes.length - 1,
    onPlace: at => memes[at] && onShow(memes[at]),
    list: String(memes[0]?.id),
  });

  const touched = useRef({ x: 0, y: 0 });
  const lift = ({ clientX: x, clientY: y }: PointerEvent) => {
    const down = y - touched.current.y;
    if (Math.abs(down) < SWIPE_DISTANCE || Math.abs(down) < Math.abs(x - touched.current.x)) return;
    snap.go(place + (down < 0 ? 1 : -1));
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: beside it, a tap; Escape is the browser's
    <dialog
      ref={dialog}
      className="viewer"
      aria-labelledby="viewer-title"
      onClick={event => event.target === dialog.current && close()}
    >
      <div className="viewer-box">
        <div
          ref={strip}
          className="viewer-strip"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          tabIndex={0}
          onScroll={snap.onScroll}
          onPointerDown={({ clientX: x, clientY: y }) => {
            touched.current = { x, y };
          }}
          onPointerUp={lift}
        >
          <ul style={snap.extent}>
            {within.map((each, nth) => (
              <li
                key={each.id}
                style={{
                  ...snap.styleAt(from + nth),
                  backgroundImage: `url("${shownOnCard(each.id)}")`,
                }}
                inert={each !== meme}
              >
                {(each === meme || (!lessData && (each === before || each === after))) && (
                  <Picture
                    src={each.image}
                    alt={each.title}
                    lang={langOf(each.title_lang)}
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
        </div>
        <div className="viewer-foot">
          <h2 id="viewer-title" aria-live="polite" lang={langOf(meme.title_lang)}>
            {meme.title}
          </h2>
          {heart(meme)}
          <button
            type="button"
            className="icon-button"
            aria-label={t('share-item', { title: meme.title })}
            onClick={() => onShare(meme)}
          >
            <ShareIcon />
          </button>
          <a
            className="icon-button"
            href={resized(meme.image, 1280)}
            download={pictureName(meme)}
            aria-label={t('save')}
          >
            <SaveIcon />
          </a>
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
            onClick={() => snap.go(place - 1)}
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
            onClick={() => snap.go(place + 1)}
          >
            <NextIcon />
          </button>
        )}
      </div>
    </dialog>
  );
}
