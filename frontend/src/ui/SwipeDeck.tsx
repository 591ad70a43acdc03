/**
 * A stack of cards that are swiped right or left by finger, mouse, arrow key or button.
 * Pointer Events only: a carousel library knows "next" and "back", not "yes" and "no".
 */
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useHydrated } from '../hydration';
import { recall, remember } from '../tab-memory';
import { CrossIcon, HeartIcon } from './icons';
import './deck.css';

export type Direction = 'left' | 'right';
export type DeckCard = {
  key: string;
  /** What a screen reader calls it. */
  label: string;
  /** Rendered for the few cards that show. */
  body: () => ReactNode;
};

type Props = {
  /** The name under which the tab remembers which card is in front. */
  name: string;
  /** Front to back. */
  cards: DeckCard[];
  /** Fetches the cards that follow, where there are more. */
  more?: (() => void) | undefined;
  /** Lies at the bottom from the beginning, and stays: it cannot be swiped. */
  lastCard: DeckCard;
  /** A card was swiped; answers whether the deck now waits for a page change. */
  onSwipe: (key: string, direction: Direction) => boolean;
  rightLabel: string;
  leftLabel: string;
};

const FAR_ENOUGH = 90;
/** Pixels per millisecond: a flick counts however short. */
const FAST_ENOUGH = 0.5;
/** A swiped card shows its heart or cross for this long, aside from the next one, and is then gone. */
const ICON_MS = 1000;
/** Cards that show; more would only cost pictures. */
const SHOWN = 3;
/** So many cards before the last one, the next ones are fetched. */
const AHEAD = 20;

export function SwipeDeck({ name, cards, more, lastCard, onSwipe, rightLabel, leftLabel }: Props) {
  const kept = useHydrated(() => recall(name), '');
  const [chosen, setChosen] = useState<string>();
  const [choice, setChoice] = useState('');
  const [leaving, setLeaving] = useState<{ card: DeckCard; direction: Direction }[]>([]);
  const [waiting, setWaiting] = useState(false);
  const timers = useRef<number[]>([]);
  const drag = useRef({ x: 0, time: 0, card: null as HTMLElement | null });

  const inFront = chosen ?? kept;
  const found = cards.findIndex(({ key }) => key === inFront);
  const top = inFront === lastCard.key ? cards.length : Math.max(found, 0);
  const card = cards[top];
  // The document runs from the bottom of the stack to its top, so that the card in front is also drawn last. The cards that leave lie
  // above, the latest first: in this order no element moves within the document, which would cut its transition short.
  const stack = [...cards.slice(top, top + SHOWN), lastCard];

  // The card that was in front may be on a page that is not here yet: artists come in the order of their ids.
  const isFarOff = found < 0 && Number(inFront) > Number(cards.at(-1)?.key);
  const needsMore = isFarOff || top + AHEAD > cards.length;
  const count = cards.length;
  const moreRef = useRef(more);
  moreRef.current = more;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may call for the next
  useEffect(() => {
    if (needsMore) moreRef.current?.();
  }, [needsMore, count, top]);

  useEffect(() => () => timers.current.forEach(window.clearTimeout), []);

  const show = (key: string) => {
    setChosen(key);
    remember(name, key);
  };

  /** The next card is in front at once, so no swipe is lost however quickly it follows. */
  const swipe = (direction: Direction) => {
    if (waiting || !card) return;
    drag.current.card = null;
    const next = cards[top + 1] ?? lastCard;
    // The cards that follow are on their way, or the connection is lost: this one stays.
    if (next === lastCard && more) return more();
    setChoice(`${card.label}: ${direction === 'right' ? rightLabel : leftLabel}. Now ${next.label}`);
    setLeaving(before => [{ card, direction }, ...before]);
    timers.current.push(window.setTimeout(() => setLeaving(before => before.slice(0, -1)), ICON_MS));
    show(next.key);
    setWaiting(onSwipe(card.key, direction));
  };

  const startAgain = () => {
    setLeaving([]);
    setChoice('');
    show('');
  };

  // Arrow keys work wherever the focus is, unless it is in something that needs them.
  const swipeRef = useRef(swipe);
  swipeRef.current = swipe;
  useEffect(() => {
    const arrow = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, select, textarea, video'))
        return;
      // With one of these it is the browser's: back, forward.
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key === 'ArrowRight') swipeRef.current('right');
      if (event.key === 'ArrowLeft') swipeRef.current('left');
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
    // Straight to the style: a render per pointer event is too slow on cheap phones.
    dragged.style.setProperty('--dx', `${distance}`);
    dragged.style.setProperty('--heart', `${Math.max(0, Math.min(1, distance / FAR_ENOUGH))}`);
    dragged.style.setProperty('--cross', `${Math.max(0, Math.min(1, -distance / FAR_ENOUGH))}`);
  };
  const up = (event: PointerEvent<HTMLElement>, cancelled = false) => {
    const { card: dragged, x, time } = drag.current;
    if (!dragged || !event.isPrimary) return;
    drag.current.card = null;
    delete dragged.dataset.dragging;
    for (const property of ['--dx', '--heart', '--cross']) dragged.style.removeProperty(property);
    const distance = event.clientX - x;
    const speed = Math.abs(distance) / Math.max(1, event.timeStamp - time);
    if (cancelled || (Math.abs(distance) < FAR_ENOUGH && (speed < FAST_ENOUGH || Math.abs(distance) < 20)))
      return;
    swipe(distance > 0 ? 'right' : 'left');
  };

  return (
    <section className="deck" aria-label="Swipe cards" aria-roledescription="card deck">
      <div className="deck-stack">
        {stack
          .map((each, depth) => (
            <article
              key={each.key}
              className="deck-card"
              aria-label={each.label}
              data-depth={Math.min(depth, SHOWN - 1)}
              inert={depth > 0}
              onPointerDown={depth === 0 ? down : undefined}
              onPointerMove={depth === 0 ? move : undefined}
              onPointerUp={depth === 0 ? up : undefined}
              onPointerCancel={depth === 0 ? event => up(event, true) : undefined}
            >
              {each.body()}
              {depth === 0 && card && <Stamps />}
            </article>
          ))
          .reverse()}
        {leaving.map(({ card: each, direction }) => (
          <article
            key={each.key}
            className="deck-card"
            aria-label={each.label}
            aria-hidden="true"
            data-leaving={direction}
            inert
          >
            {each.body()}
            <Stamp className="deck-icon" side={direction} />
          </article>
        ))}
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
            Start again
          </button>
        </div>
      )}
    </section>
  );
}

/** What a drag to either side would mean: the further the card is dragged, the clearer. */
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
