/** Requests and replies of finance's calls. Money is in cents, with VAT unless a name says otherwise. */
export type Sum = { entries: number; cents: number };

export type Share = { party: string; cents: number };

export type Figures = {
  charged: Sum;
  failed: Sum;
  given_back: Sum;
  open: Sum;
  income_cents: number;
  vat_cents: number;
  net_cents: number;
  shares: Share[];
  own_cents: number;
};

export type Line = Figures & {
  /** Empty in sums of a month. */
  day: string;
  svc_id: number;
  service: string;
  network: string;
  price_cents: number;
  /** The closed month whose ledger changed later. */
  correction_of: string | null;
};

type MonthStateName = 'running' | 'over' | 'closed';
type Closing = { by: string; at: string; hash: string; intact: boolean };
export type MonthState = { month: string; state: MonthStateName; closed: Closing | null };
export type Brand = { svc_id: number; service: string; network: string };
export type MonthList = { months: MonthState[]; brands: Brand[] };

type Counted = { charged: Sum; failed: Sum; given_back: Sum };
export type Drift = {
  day: string;
  svc_id: number;
  service: string;
  network: string;
  price_cents: number;
  closed: Counted;
  now: Counted;
  /** The closed month that has the difference as a correction. */
  entered_in: string | null;
};

export type Book = {
  month: string;
  state: MonthStateName;
  closed: Closing | null;
  obstacles: string[];
  income_cents: number;
  days: Line[];
  lines: Line[];
  total: Figures;
  drifts: Drift[];
};

export type BookFilter = { month: string; svc_id: string; network: string };

/** The subscribers of a brand at one network and price, on a day. */
export type SubscriberDay = {
  day: string;
  svc_id: number;
  service: string;
  network: string;
  price_cents: number;
  joins: number;
  leaves: number;
  /** Null on a day on which they were not counted. */
  running: number | null;
};

type Entered = { id: number; basis_points: number; since: string; by: string; at: string };
export type VatRate = Entered;
/** `svc_id` 0 is every brand of the network. */
export type Term = Entered & { network: string; svc_id: number; party: string };
export type Terms = { vat: VatRate[]; terms: Term[] };
export type NewTerm = Pick<Term, 'network' | 'svc_id' | 'party' | 'basis_points' | 'since'>;

export type ComparedDay = {
  day: string;
  network: string;
  state: 'running' | 'repaired' | 'held' | 'failed';
  listed: number;
  agreed: number;
  settled: number;
  differences: number;
  cause: string;
};

type Assignment = { day: string; network: string; staff_id: number };
/** Who looks after which days, and the members of finance. */
export type Assignments = { assignments: Assignment[]; colleagues: { id: number; name: string }[] };

export type DayDifference = {
  kind: string;
  repair: string;
  ledger_id: number | null;
  masked: string;
  svc_id: number;
  cents: number;
  network: string;
};

export type DayComparison = {
  day: string;
  listed: number;
  agreed: number;
  differences: DayDifference[];
  more: number;
};
