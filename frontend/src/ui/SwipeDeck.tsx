/**
 * A stack of cards that are swiped right or left by finger, mouse, arrow key or button.
 * Pointer Events only: a carousel library knows "next" and "back", not "yes" and "no".
 */
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { CrossIcon, HeartIcon } from './icons';
import './deck.css';

export type Direction = 'left' | 'right';
export type DeckCard = {
  key: string;
  /** What a screen reader calls it. */
  label: string;
  body: ReactNode;
};

type Props = {
  /** Front to back. */
  cards: DeckCard[];
  /** Lies at the bottom from the beginning, and stays: it cannot be swiped. */
  lastCard: DeckCard;
  /** Right on a card; answers whether the deck now waits for a page change. */
  onRight: (key: string) => boolean;
  rightLabel: string;
  leftLabel: string;
};

const FAR_ENOUGH = 90;
/** Pixels per millisecond: a flick counts however short. */
const FAST_ENOUGH = 0.5;
const ICON_MS = 1000;
const FLIGHT_MS = 260;
/** Cards that show; more would only cost pictures. */
const SHOWN = 3;

export function SwipeDeck({ cards, lastCard, onRight, rightLabel, leftLabel }: Props) {
  const [top, setTop] = useState(0);
  const [choice, setChoice] = useState('');
  const [icon, setIcon] = useState<{ direction: Direction; card: string } | null>(null);
  const [leaving, setLeaving] = useState<Direction | null>(null);
  const timers = useRef<number[]>([]);
  const drag = useRef({ x: 0, time: 0, card: null as HTMLElement | null });
  const card = cards[top];
  const still = !card || leaving !== null;
  // The document runs from the bottom of the stack to its top, so that the card in front is also drawn last.
  const stack = [...cards.slice(top, top + SHOWN), lastCard];

  useEffect(() => () => timers.current.forEach(window.clearTimeout), []);
  const after = (ms: number, act: () => void) => timers.current.push(window.setTimeout(act, ms));

  const swipe = (direction: Direction) => {
    if (still || !card) return;
    setIcon({ direction, card: card.key });
    setChoice(`${card.label}: ${direction === 'right' ? rightLabel : leftLabel}. `);
    setLeaving(direction);
    timers.current.forEach(window.clearTimeout);
    timers.current = [];
    after(ICON_MS, () => setIcon(null));
    const waits = direction === 'right' && onRight(card.key);
    if (waits) return;
    after(FLIGHT_MS, () => {
      setLeaving(null);
      setTop(before => before + 1);
    });
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

  const move = (event: PointerEvent<HTMLElement>) => {
    const { card: dragged, x } = drag.current;
    if (!dragged) return;
    // Straight to the style: a render per pointer event is too slow on cheap phones.
    dragged.style.setProperty('--dx', `${event.clientX - x}`);
  };
  const down = (event: PointerEvent<HTMLElement>) => {
    if (still || event.button !== 0) return;
    drag.current = { x: event.clientX, time: event.timeStamp, card: event.currentTarget };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.dataset.dragging = '';
  };
  const up = (event: PointerEvent<HTMLElement>, cancelled = false) => {
    const { card: dragged, x, time } = drag.current;
    if (!dragged) return;
    drag.current.card = null;
    delete dragged.dataset.dragging;
    dragged.style.removeProperty('--dx');
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
              data-leaving={depth === 0 ? leaving : undefined}
              inert={depth > 0}
              onPointerDown={depth === 0 ? down : undefined}
              onPointerMove={depth === 0 ? move : undefined}
              onPointerUp={depth === 0 ? up : undefined}
              onPointerCancel={depth === 0 ? event => up(event, true) : undefined}
            >
              {each.body}
            </article>
          ))
          .reverse()}
        {icon && (
          // A key of its own: a second swipe within the second begins a second of its own.
          <div key={icon.card} className="deck-icon" data-icon={icon.direction}>
            {icon.direction === 'right' ? <HeartIcon /> : <CrossIcon />}
          </div>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {choice && !leaving ? `${choice}Now ${(card ?? lastCard).label}` : choice}
      </p>
      {card ? (
        <div className="deck-buttons">
          <button
            type="button"
            className="deck-button"
            data-side="left"
            disabled={leaving !== null}
            onClick={() => swipe('left')}
          >
            <CrossIcon />
            <span className="visually-hidden">{leftLabel}</span>
          </button>
          <button
            type="button"
            className="deck-button"
            data-side="right"
            disabled={leaving !== null}
            onClick={() => swipe('right')}
          >
            <HeartIcon />
            <span className="visually-hidden">{rightLabel}</span>
          </button>
        </div>
      ) : (
        <div className="deck-buttons">
          <button type="button" className="button button-quiet" onClick={() => setTop(0)}>
            Start again
          </button>
        </div>
      )}
    </section>
  );
}
