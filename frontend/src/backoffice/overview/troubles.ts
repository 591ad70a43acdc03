/** What does not work, worst first, each with its remedy. */
import type { Operations } from './types';
import { duration, words } from './words';

export type Trouble = { id: string; text: string; remedy: string; differences?: boolean };

/** Seconds after which something that usually passes by itself is worth a look. */
const LATE = { pass: 10 * 60, openPass: 60 * 60, unknown: 10 * 60, message: 10 * 60 } as const;

export function troubles(operations: Operations): Trouble[] {
  const { networks, messages, pass_overdue_seconds, pass_open_seconds, parked, restored_seconds } =
    operations;
  const found: (Trouble | false)[] = [
    restored_seconds > 0 && {
      id: 'restored',
      text: words.restored(duration(restored_seconds)),
      remedy: words.restoredRemedy,
    },
    pass_overdue_seconds > LATE.pass && {
      id: 'overdue',
      text: words.overdue(duration(pass_overdue_seconds)),
      remedy: words.overdueRemedy,
    },
    ...networks.map(
      ({ network, paused }) =>
        paused && { id: `paused ${network}`, text: words.paused(network), remedy: words.pausedRemedy },
    ),
    pass_open_seconds > LATE.openPass && {
      id: 'open',
      text: words.passOpen(duration(pass_open_seconds)),
      remedy: words.passOpenRemedy,
    },
    parked > 0 && { id: 'parked', text: words.parked(parked), remedy: words.parkedRemedy },
    ...networks.flatMap(({ network, unknown, unknown_seconds, held_days, failed_days }) => [
      unknown > 0 &&
        unknown_seconds > LATE.unknown && {
          id: `unknown ${network}`,
          text: words.unknown(network, unknown, duration(unknown_seconds)),
          remedy: words.unknownRemedy,
        },
      held_days > 0 && {
        id: `held ${network}`,
        text: words.held(network, held_days),
        remedy: words.heldRemedy,
        differences: true,
      },
      failed_days > 0 && {
        id: `failed ${network}`,
        text: words.notCompared(network, failed_days),
        remedy: words.notComparedRemedy,
        differences: true,
      },
    ]),
    ...messages.flatMap(({ kind, waiting, oldest_seconds, dead }) => [
      dead > 0 && { id: `dead ${kind}`, text: words.dead(kind, dead), remedy: words.deadRemedy },
      waiting > 0 &&
        oldest_seconds > LATE.message && {
          id: `late ${kind}`,
          text: words.late(kind, waiting, duration(oldest_seconds)),
          remedy: words.lateRemedy,
        },
    ]),
  ];
  return found.filter(each => each !== false);
}
