/** The reply of the overview. Money is in cents with VAT, ages are in seconds; a part is null without one of its roles. */
export type Overview = {
  subscribers: Subscribers | null;
  money: Money | null;
  operations: Operations | null;
  /** Publishers that the limits hold, about which a person has to decide. */
  undecided_publishers: number | null;
};

export type Subscribers = {
  now: string;
  /** When the sums of today were counted. */
  counted_at: string | null;
  /** Today, yesterday, and the same day of the last week. */
  days: { day: string; joins: number; leaves: number }[];
  services: Service[];
};

export type Service = { svc_id: number; service: string; active: number; suspended: number; pending: number };

export type DayMoney = {
  day: string;
  charged_cents: number;
  given_back_cents: number;
  charges: number;
  failed: number;
  open: number;
};

export type Hour = { hour: number; charged_cents: number; given_back_cents: number };

export type Money = { days: DayMoney[]; hours: Hour[] };

type Network = {
  network: string;
  paused: boolean;
  open: number;
  unknown: number;
  unknown_seconds: number;
  held_days: number;
  failed_days: number;
};

type Messages = {
  kind: 'sms' | 'stop' | 'refund';
  waiting: number;
  oldest_seconds: number;
  dead: number;
};

export type Operations = {
  networks: Network[];
  messages: Messages[];
  pass_overdue_seconds: number;
  pass_open_seconds: number;
  parked: number;
  restored_seconds: number;
};
