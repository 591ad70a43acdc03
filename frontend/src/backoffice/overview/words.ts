/** Every text of the overview. */
import { count } from '../finance/figures';

const plural = (entries: number, one: string, many: string): string =>
  `${count(entries)} ${entries === 1 ? one : many}`;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `5 minutes`, `3 hours`, `2 days`. */
export function duration(seconds: number): string {
  if (seconds < 2 * MINUTE) return 'a minute';
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)} minutes`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} hours`;
  return `${Math.floor(seconds / DAY)} days`;
}

const KINDS = { sms: 'SMS', stop: 'stop', refund: 'refund' } as const;
type Kind = keyof typeof KINDS;

export const words = {
  today: 'Today',
  countedAt: (time: string) => `Counted at ${time}`,
  notCounted: 'Not counted yet',
  refresh: 'Refresh',
  joins: 'Joins',
  leaves: 'Leaves',
  charged: 'Charged',
  givenBack: 'Given back',
  failed: 'Failed charges',
  open: 'No outcome yet',
  yesterday: (figure: string) => `Yesterday ${figure}`,
  lastWeek: (figure: string) => `A week ago ${figure}`,
  byHour: 'Charged by the hour',
  byHourHint: 'Johannesburg time. A charge counts in the hour of its outcome.',
  hour: (hour: number) => `${String(hour).padStart(2, '0')}:00`,
  hourColumn: 'Hour',
  noMoney: 'Nothing was charged today so far.',
  subscriptions: 'Subscriptions',
  service: 'Brand',
  active: 'Active',
  suspended: 'Suspended',
  pending: 'Joining',
  notCountedYet: 'They are counted a few seconds after the service has started.',

  operations: 'Operations',
  allWell: 'Passes, networks and messages are in order.',
  restored: (age: string) => `A restored database has not caught up for ${age}`,
  restoredRemedy:
    'Nothing is charged until it has. Make POST /internal/catch-up; see RestoreNotCaughtUp in the runbook.',
  overdue: (age: string) => `A billing pass should have begun ${age} ago`,
  overdueRemedy: 'Is subscription running? POST /internal/billing/run begins one; see the runbook.',
  passOpen: (age: string) => `A billing pass has been open for ${age}`,
  passOpenRemedy: 'It ends when the networks have answered. Look at their states below.',
  paused: (network: string) => `${network} does not answer: charging pauses`,
  pausedRemedy: 'It is tried again by itself, and nothing is lost. If it lasts, call the network.',
  unknown: (network: string, charges: number, age: string) =>
    `${plural(charges, 'charge', 'charges')} at ${network} without an outcome, the oldest for ${age}`,
  unknownRemedy:
    'The network is queried by key and no number is charged twice. After hours, ask the network for the day.',
  held: (network: string, days: number) =>
    `${plural(days, 'day', 'days')} of ${network} contradict the ledger and wait to be accepted`,
  heldRemedy: 'Finance compares them under Differences.',
  notCompared: (network: string, days: number) =>
    `${plural(days, 'day', 'days')} of ${network} could not be compared`,
  notComparedRemedy: 'The network gave no list. Compare the day again under Differences.',
  parked: (charges: number) => `${plural(charges, 'charge is', 'charges are')} beyond a limit and not sent`,
  parkedRemedy:
    'Is the number of subscribers right? Raise MAX_CHARGES_PER_HOUR or MAX_CHARGES_PER_NUMBER if so.',
  dead: (kind: Kind, messages: number) =>
    kind === 'sms'
      ? `${plural(messages, 'SMS was', 'SMSes were')} refused by a network`
      : `${plural(messages, `${KINDS[kind]} was`, `${KINDS[kind]}s were`)} refused by a network`,
  deadRemedy: 'Look up the number under Support and send it again. The metrics name the network.',
  late: (kind: Kind, messages: number, age: string) =>
    kind === 'sms'
      ? `${plural(messages, 'SMS waits', 'SMSes wait')}, the oldest urgent one for ${age}`
      : `${plural(messages, `${KINDS[kind]} waits`, `${KINDS[kind]}s wait`)}, the oldest for ${age}`,
  lateRemedy: 'They are sent when the network answers.',
};
