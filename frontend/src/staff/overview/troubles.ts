/** What does not work, worst first, each with its remedy. */
import type { ChargePause, Operations } from '../../shared/contract/staff';
import { pauseSentence, scopeName } from '../charges/scope';
import { words } from '../words';
import { duration } from './duration';

const texts = words.overview;

export type Trouble = {
  id: string;
  text: string;
  remedy: string;
  differences?: boolean;
  publishers?: boolean;
  charges?: boolean;
};

/** Seconds after which something that usually passes by itself is worth a look. */
const LATE = { pass: 10 * 60, openPass: 60 * 60, unknown: 10 * 60, message: 10 * 60 } as const;

/** Charges that staff have paused. */
export const pauseTroubles = (pauses: ChargePause[]): Trouble[] =>
  pauses.map(pause => ({
    id: `charges ${scopeName(pause)}`,
    text: pauseSentence(pause),
    remedy: texts.pausedRemedyCharges,
    charges: true,
  }));

/** Publishers that wait for a decision. */
export const publisherTroubles = (undecided: number): Trouble[] =>
  undecided > 0
    ? [
        {
          id: 'publishers',
          text: texts.publishers({ publishers: undecided }),
          remedy: texts.publishersRemedy,
          publishers: true,
        },
      ]
    : [];

export function troubles(operations: Operations): Trouble[] {
  const { networks, messages, pass_overdue_seconds, pass_open_seconds, parked, restored_seconds } =
    operations;
  const found: (Trouble | false)[] = [
    restored_seconds > 0 && {
      id: 'restored',
      text: texts.restored({ age: duration(restored_seconds) }),
      remedy: texts.restoredRemedy,
    },
    pass_overdue_seconds > LATE.pass && {
      id: 'overdue',
      text: texts.overdue({ age: duration(pass_overdue_seconds) }),
      remedy: texts.overdueRemedy,
    },
    ...networks.map(
      ({ network, paused }) =>
        paused && { id: `paused ${network}`, text: texts.paused({ network }), remedy: texts.pausedRemedy },
    ),
    pass_open_seconds > LATE.openPass && {
      id: 'open',
      text: texts.passOpen({ age: duration(pass_open_seconds) }),
      remedy: texts.passOpenRemedy,
    },
    parked > 0 && { id: 'parked', text: texts.parked({ charges: parked }), remedy: texts.parkedRemedy },
    ...networks.flatMap(({ network, unknown, unknown_seconds, held_days, failed_days }) => [
      unknown > 0 &&
        unknown_seconds > LATE.unknown && {
          id: `unknown ${network}`,
          text: texts.unknown({ network, charges: unknown, age: duration(unknown_seconds) }),
          remedy: texts.unknownRemedy,
        },
      held_days > 0 && {
        id: `held ${network}`,
        text: texts.held({ network, days: held_days }),
        remedy: texts.heldRemedy,
        differences: true,
      },
      failed_days > 0 && {
        id: `failed ${network}`,
        text: texts.notCompared({ network, days: failed_days }),
        remedy: texts.notComparedRemedy,
        differences: true,
      },
    ]),
    ...messages.flatMap(({ kind, waiting, oldest_seconds, dead }) => [
      dead > 0 && {
        id: `dead ${kind}`,
        text: texts.dead[kind]({ messages: dead }),
        remedy: texts.deadRemedy,
      },
      waiting > 0 &&
        oldest_seconds > LATE.message && {
          id: `late ${kind}`,
          text: texts.late[kind]({ messages: waiting, age: duration(oldest_seconds) }),
          remedy: texts.lateRemedy,
        },
    ]),
  ];
  return found.filter(each => each !== false);
}
