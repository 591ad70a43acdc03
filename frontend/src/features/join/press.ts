/**
 * What the page sees of a press of JOIN, for the subscription service, which holds joins that are not a person's. These are facts about one press:
 * none identifies a browser or its person, and none is stored here.
 */

/** As `Signals` in crates/subscription/src/human_check.rs. */
export type Signals = {
  /** The browser itself reported the press; a script's click is not trusted. */
  trusted: boolean;
  /** Milliseconds from the beginning of the page to the press. */
  ms: number;
  /** How long the pointer was down; absent for keyboards and screen readers. */
  press_ms?: number;
  pointer: string;
  moves: number;
  /** The visitor, and not a script, entered the number. */
  typed: boolean;
  visible: boolean;
  focused: boolean;
  /** Something lies over the button, as far as the browser tells. */
  covered: boolean;
  /** The browser says that a program controls it. */
  automated: boolean;
};

/** A submission that follows a press by more than this is not its own. */
const PRESS_LIFE_MS = 1000;

/** How long a change of what covers the button may stay unnoticed; the least that browsers allow. */
const COVER_DELAY_MS = 100;

const EVENTS = ['pointermove', 'pointerdown', 'pointerup', 'input', 'keydown', 'click'];

const isButton = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[type=submit]') !== null;

/**
 * Watches a form until `stop`. `start` is when its page began, and `typed` whether it already has a number that was entered before scripts ran;
 * `signals` reads what was seen of the press just now.
 */
export function watchPress(form: HTMLFormElement, start: number, typed: boolean) {
  let isTyped = typed;
  let pressedAt = Number.NEGATIVE_INFINITY;
  let downAt = 0;
  let pressMs: number | undefined;
  let pointer = '';
  let moves = 0;
  let covered = false;

  const watch = (event: Event) => {
    if (!event.isTrusted) return;
    const { type, target, timeStamp } = event;
    if (type === 'pointermove') moves += 1;
    if (type === 'pointerdown') {
      downAt = timeStamp;
      pressMs = undefined;
      pointer = (event as PointerEvent).pointerType;
    }
    if (type === 'pointerup') pressMs = timeStamp - downAt;
    if (type === 'input' && (target as HTMLInputElement).name === 'msisdn') isTyped = true;
    // Enter in a field submits the form without a pointer.
    if (type === 'keydown') {
      pointer = '';
      pressMs = undefined;
    }
    if ((type === 'click' && isButton(target)) || (event as KeyboardEvent).key === 'Enter')
      pressedAt = timeStamp;
  };
  for (const name of EVENTS) document.addEventListener(name, watch, { capture: true, passive: true });

  const button = form.querySelector('[type=submit]');
  const options = { threshold: 0, trackVisibility: true, delay: COVER_DELAY_MS };
  const observer =
    button && 'IntersectionObserver' in window
      ? new IntersectionObserver(entries => {
          // Browsers without the second version of the interface do not tell.
          const last: (IntersectionObserverEntry & { isVisible?: boolean }) | undefined =
            entries[entries.length - 1];
          covered = last?.isIntersecting === true && last.isVisible === false;
        }, options)
      : undefined;
  if (button) observer?.observe(button);

  return {
    signals: (): Signals => ({
      trusted: performance.now() - pressedAt < PRESS_LIFE_MS,
      ms: pressedAt - start,
      ...(pressMs !== undefined && { press_ms: pressMs }),
      pointer,
      moves,
      typed: isTyped,
      visible: document.visibilityState === 'visible',
      focused: document.hasFocus(),
      covered,
      automated: navigator.webdriver === true,
    }),
    stop() {
      for (const name of EVENTS) document.removeEventListener(name, watch, { capture: true });
      observer?.disconnect();
    },
  };
}
