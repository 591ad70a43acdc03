/**
 * The signs of a person in a press of JOIN, for the subscription service, which holds joins that are not a person's. They are facts about one press:
 * none identifies a browser or its person, and none is stored here. The form loads this file once it is hydrated, and records events before.
 */

import type { ChallengeReply } from '../../../shared/contract/sites';
import { request } from '../../api/client';
import { brand } from '../../brand';
import type { HeldJoin } from '../../server-input';

/** The browser's own events since the form was hydrated. A script's are not among them. */
export type Recorded = { moves: number; events: Event[] };

/** As `Signals` in crates/subscription/src/joins/human_check.rs, which explains each. */
type Signals = {
  trusted: boolean;
  ms: number;
  press_ms?: number;
  pointer: string;
  moves: number;
  typed: boolean;
  visible: boolean;
  focused: boolean;
  covered: boolean;
  automated: boolean;
};

/** A submission that follows a press by more than this is not its own. */
const PRESS_LIFE_MS = 1000;

/** The service takes a press that follows its challenge sooner as a program's. */
const CHALLENGE_AGE_MS = 300;

/** How long a change of what covers the button may stay unnoticed; the least that browsers allow. */
const COVER_DELAY_MS = 100;

/** The button that joins, or the link by which the network recognises the SIM, of an event. */
const buttonOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('.join [type=submit], .join a.button') : null;

/** What was recorded of a press that is submitted at `now`, on a page that began at `start`. */
function signalsOf(
  { moves, events }: Recorded,
  now: number,
  start: number,
  hadNumber: boolean,
  isCovered: (button: Element | null) => boolean,
): Signals {
  const newest = [...events].reverse();
  // A key or a screen reader presses without a pointer.
  const begun = newest.find(({ type }) => type === 'pointerdown' || type === 'keydown');
  const down = begun?.type === 'pointerdown' ? (begun as PointerEvent) : undefined;
  const up =
    down && newest.find(({ type, timeStamp }) => type === 'pointerup' && timeStamp >= down.timeStamp);
  // Enter in a field submits the form, too.
  const press = newest.find(
    event => (event.type === 'click' && buttonOf(event.target)) || (event as KeyboardEvent).key === 'Enter',
  );
  const pressedAt = press?.timeStamp ?? Number.NEGATIVE_INFINITY;
  const isInput = ({ type, target }: Event) =>
    type === 'input' && (target as HTMLInputElement).name === 'msisdn';
  return {
    trusted: now - pressedAt < PRESS_LIFE_MS,
    ms: press ? pressedAt - start : 0,
    ...(down && up && { press_ms: up.timeStamp - down.timeStamp }),
    pointer: down?.pointerType ?? '',
    moves,
    typed: hadNumber || events.some(isInput),
    visible: document.visibilityState === 'visible',
    focused: document.hasFocus(),
    covered: isCovered(buttonOf(press?.target ?? null)),
    automated: navigator.webdriver === true,
  };
}

/** A challenge for one join; empty where there is none, and the service then asks for a code. */
async function requestChallenge(shown: string): Promise<string> {
  try {
    const response = await request('POST', '/api/subscribe/challenge', { svc_id: brand().svc_id, shown });
    const { challenge }: ChallengeReply = await response.json();
    await new Promise(resolve => setTimeout(resolve, CHALLENGE_AGE_MS));
    return challenge;
  } catch (error) {
    console.info('No challenge', error);
    return '';
  }
}

/** Watches a form whose page began at `start`; `hadNumber`: a number was entered before the recording. */
export function watchForm(
  form: HTMLFormElement | null,
  recorded: Recorded,
  start: number,
  hadNumber: boolean,
) {
  const shownNow = () => String(new FormData(form ?? undefined).get('shown') ?? '');
  let shown = shownNow();
  let challenge = requestChallenge(shown);
  const covered = new Set<Element>();
  const buttons = [...(form?.querySelectorAll('[type=submit], a.button') ?? [])];
  const options = { threshold: 0, trackVisibility: true, delay: COVER_DELAY_MS };
  if ('IntersectionObserver' in window) {
    const observer = new IntersectionObserver(entries => {
      // Browsers without the second version of the interface do not tell.
      for (const seen of entries as (IntersectionObserverEntry & { isVisible?: boolean })[]) {
        const { target, isIntersecting, isVisible } = seen;
        // The button's own look below a pointer counts as an effect that changes it.
        if (target.matches(':hover, :active')) continue;
        if (isIntersecting && isVisible === false) covered.add(target);
        else covered.delete(target);
      }
    }, options);
    for (const button of buttons) observer.observe(button);
  }
  // Enter in a field presses the first button.
  const isCovered = (button: Element | null) => covered.has(button ?? (buttons[0] as Element));
  return {
    /** After a join that was sent; the page may be shown again. */
    renew() {
      shown = shownNow();
      challenge = requestChallenge(shown);
    },
    /** The header of a join that was submitted at `now` with these fields. */
    async header(fields: FormData, now: number, held: HeldJoin | undefined): Promise<string> {
      // Signed is what the page showed when it was tapped.
      if (shown !== shownNow()) this.renew();
      const signals = signalsOf(recorded, now, start, hadNumber, isCovered);
      const valueIn = (name: string) => String(fields.get(name) ?? '');
      const check = {
        challenge: held?.challenge ?? (await challenge),
        code: valueIn('code'),
        homepage: valueIn('homepage'),
        signals,
      };
      // A header has ASCII characters only, and what is right has no others.
      return JSON.stringify(check).replace(/[^ -~]/g, '');
    },
  };
}
