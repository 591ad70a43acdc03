/**
 * A deck of cards to swipe right or left by touch, mouse, arrow key or button.
 * It uses Pointer Events: carousel libraries support next and previous, not a choice per card.
 */

import {
  type CSSProperties,
  Fragment,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { getSessionItem, setSessionItem } from '../../shared/session-storage';
import { useHydrated } from '../hydration';
import { t } from '../messages';
import { CrossIcon, HeartIcon } from './icons';
import './deck.css';

export type Direction = 'left' | 'right';
export type DeckCard = {
  key: string;
  /** The accessible name. */
  label: string;
  /** Called only for visible cards. */
  body: () => ReactNode;
  /** It explains how to swipe: a visitor who has just shown that is not led to it. */
  explains?: boolean;
};

type Props = {
  /** The session storage key of the front card. */
  name: string;
  /** Front to back. */
  cards: DeckCard[];
  /** Fetches the next cards; `undefined` if there are no more. */
  more?: (() => void) | undefined;
  /** The last card. It cannot be swiped. */
  lastCard: DeckCard;
  /**
   * Called after a swipe. `knows`: the visitor has dragged the card, or chosen it. If the page is going to change, it returns what cancels that:
   * the deck ignores further swipes until the page changes, or the visitor goes back.
   */
  onSwipe: (key: string, direction: Direction, knows: boolean) => (() => void) | undefined;
  rightLabel: string;
  leftLabel: string;
};

/** Pixels. */
const SWIPE_DISTANCE = 90;
/** Pixels per millisecond: a fast flick is a swipe, too. */
const SWIPE_SPEED = 0.5;
/** How long the heart or cross of a swiped card is shown. The card itself is gone after a quarter of it (deck.css). */
const ICON_MS = 1000;
/** Visible cards. */
const VISIBLE_CARDS = 3;
/** The next cards are fetched when fewer than this are left. */
const FETCH_AHEAD = 20;

export function SwipeDeck({ name, cards, more, lastCard, onSwipe, rightLabel, leftLabel }: Props) {
  const stored = useHydrated(() => getSessionItem(name), '');
  const [chosen, setChosen] = useState<string>();
  const [choice, setChoice] = useState('');
  const [leaving, setLeaving] = useState<{ card: DeckCard; direction: Direction; distance: number }[]>([]);
  const [waiting, setWaiting] = useState(false);
  const cancel = useRef<() => void>(undefined);
  const timers = useRef<number[]>([]);
  const drag = useRef({ x: 0, time: 0, card: null as HTMLElement | null });

  const inFront = chosen ?? stored;
  const found = cards.findIndex(({ key }) => key === inFront);
  const top = inFront === lastCard.key ? cards.length : Math.max(found, 0);
  const card = cards[top];
  // Document order is from the bottom card to the front card, so that the front card is painted last. Leaving cards follow, the latest
  // first: in this order React moves no element within the document, which would interrupt its transition. A card that leaves stays the same
  // element: another one would decode its picture again.
  const stack = [...cards.slice(top, top + VISIBLE_CARDS), lastCard];

  // The stored front card may be on a page that is not loaded yet: pages are in the order of their ids.
  const newest = Math.max(...cards.map(({ key }) => Number(key) || 0));
  const isNotLoaded = found < 0 && Number(inFront) > newest;
  const needsMore = isNotLoaded || top + FETCH_AHEAD > cards.length;
  const count = cards.length;
  const onNeed = useEffectEvent(() => more?.());
  // Checks again after each page.
  useEffect(() => {
    if (needsMore) onNeed();
  }, [needsMore, count, top]);

  useEffect(() => () => timers.current.forEach(window.clearTimeout), []);

  // Back can come before the next page has loaded: this one then stays.
  useEffect(() => {
    const stay = () => {
      cancel.current?.();
      setWaiting(false);
    };
    window.addEventListener('popstate', stay);
    return () => {
      window.removeEventListener('popstate', stay);
      cancel.current?.();
    };
  }, []);

  const show = (key: string) => {
    setChosen(key);
    setSessionItem(name, key);
  };

  /** Shows the next card at once, so that fast swipes are not lost. */
  const swipe = (direction: Direction, distance = 0) => {
    if (waiting || !card) return;
    drag.current.card = null;
    const knows = distance !== 0 || direction === 'right';
    const next = cards.slice(top + 1).find(({ explains }) => !(explains && knows)) ?? lastCard;
    // The next cards are still loading: this card stays.
    if (next === lastCard && more) return more();
    setChoice(
      t('swiped', {
        card: card.label,
        choice: direction === 'right' ? rightLabel : leftLabel,
        next: next.label,
      }),
    );
    setLeaving(before => [{ card, direction, distance }, ...before]);
    timers.current.push(window.setTimeout(() => setLeaving(before => before.slice(0, -1)), ICON_MS));
    show(next.key);
    cancel.current = onSwipe(card.key, direction, knows);
    setWaiting(cancel.current !== undefined);
  };

  const startAgain = () => {
    setLeaving([]);
    setChoice('');
    show('');
  };

  // Arrow keys work anywhere on the page, except in controls that use them.
  const onArrow = useEffectEvent(swipe);
  useEffect(() => {
    const arrow = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, select, textarea, video'))
        return;
      // A held key is one press; with a modifier key it is a browser shortcut.
      if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key === 'ArrowRight') onArrow('right');
      if (event.key === 'ArrowLeft') onArrow('left');
    };
    window.addEventListener('keydown', arrow);
    return () => window.removeEventListener('keydown', arrow);
  }, []);

  const down = (event: PointerEvent<HTMLElement>) => {
    if (waiting || !card || event.button !== 0 || !event.isPrimary) return;
    drag.current = { x: event.clientX, time: event.timeStamp, card: event.currentTarget };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.dataset.dragging = '';
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const { card: dragged, x } = drag.current;
    if (!dragged || !event.isPrimary) return;
    const distance = event.clientX - x;
    // Sets styles directly: a React rendering per pointer event is too slow on cheap phones.
    dragged.style.setProperty('--dx', `${distance}`);
    dragged.style.setProperty('--heart', `${Math.max(0, Math.min(1, distance / SWIPE_DISTANCE))}`);
    dragged.style.setProperty('--cross', `${Math.max(0, Math.min(1, -distance / SWIPE_DISTANCE))}`);
  };
  const up = (event: PointerEvent<HTMLElement>, cancelled = false) => {
    const { card: dragged, x, time } = drag.current;
    if (!dragged || !event.isPrimary) return;
    drag.current.card = null;
    delete dragged.dataset.dragging;
    for (const property of ['--dx', '--heart', '--cross']) dragged.style.removeProperty(property);
    const distance = event.clientX - x;
    const speed = Math.abs(distance) / Math.max(1, event.timeStamp - time);
    if (
      cancelled ||
      (Math.abs(distance) < SWIPE_DISTANCE && (speed < SWIPE_SPEED || Math.abs(distance) < 20))
    )
      return;
    swipe(distance > 0 ? 'right' : 'left', distance);
  };

  return (
    <section className="deck" aria-label={t('swipe-cards')} aria-roledescription={t('card-deck')}>
      <div className="deck-stack">
        {[
          ...stack
            .map((each, depth) => (
              <Fragment key={each.key}>
                <article
                  className="deck-card"
                  aria-label={each.label}
                  data-depth={Math.min(depth, VISIBLE_CARDS - 1)}
                  inert={depth > 0}
                  onPointerDown={depth === 0 ? down : undefined}
                  onPointerMove={depth === 0 ? move : undefined}
                  onPointerUp={depth === 0 ? up : undefined}
                  onPointerCancel={depth === 0 ? event => up(event, true) : undefined}
                >
                  {each.body()}
                  {depth === 0 && card && <Stamps />}
                </article>
              </Fragment>
            ))
            .reverse(),
          ...leaving.map(({ card: each, direction, distance }) => (
            <Fragment key={each.key}>
              <article
                className="deck-card"
                aria-hidden="true"
                data-leaving={direction}
                style={{ '--dx': distance } as CSSProperties}
                inert
              >
                {each.body()}
              </article>
              <Stamp className="deck-icon" side={direction} />
            </Fragment>
          )),
        ]}
      </div>
      <p className="visually-hidden" role="status">
        {choice}
      </p>
      {card ? (
        <div className="deck-buttons">
          <button
            type="button"
            className="deck-button"
            data-side="left"
            disabled={waiting}
            onClick={() => swipe('left')}
          >
            <CrossIcon />
            <span className="visually-hidden">{leftLabel}</span>
          </button>
          <button
            type="button"
            className="deck-button"
            data-side="right"
            disabled={waiting}
            onClick={() => swipe('right')}
          >
            <HeartIcon />
            <span className="visually-hidden">{rightLabel}</span>
          </button>
        </div>
      ) : (
        <div className="deck-buttons">
          <button type="button" className="button button-quiet" onClick={startAgain}>
            {t('start-again')}
          </button>
        </div>
      )}
    </section>
  );
}

/** The heart and cross on the front card, which fade in with the drag. */
function Stamps() {
  return (
    <>
      <Stamp className="deck-hint" side="left" />
      <Stamp className="deck-hint" side="right" />
    </>
  );
}

/** The heart or cross on a card, at the edge that leaves the screen last. */
function Stamp({ className, side }: { className: string; side: Direction }) {
  return (
    <span className={`deck-stamp ${className}`} data-icon={side}>
      {side === 'right' ? <HeartIcon /> : <CrossIcon />}
    </span>
  );
}
