/** Requests and replies of the calls about publishers. */
export type Hold = {
  state: 'held' | 'released';
  reason: string;
  /** `limits`, or who decided. */
  made_by: string;
  at: string;
};

/** A publisher's joins of one brand; shares are in hundredths of a percent. */
export type PublisherLine = {
  /** Empty: visitors who came by themselves. */
  ext_ref: string;
  /** 0: no brand is known, as of a publisher that is held without a join in the month. */
  svc_id: number;
  service: string;
  tries: number;
  held: number;
  codes: number;
  passed_by_code: number;
  confirmed: number;
  left_early: number;
  refunded: number;
  held_basis_points: number;
  left_basis_points: number;
  refunded_basis_points: number;
  hold: Hold | null;
};

export type PublisherPage = {
  month: string;
  this_month: string;
  kept_months: number;
  /** Whether joins are held; else they are only counted. */
  is_enforced: boolean;
  services: { svc_id: number; service: string }[];
  publishers: PublisherLine[];
  /** Where the next page begins. */
  next: number | null;
};

export type PublisherFilter = { month: string; svc_id: string; held: string; sort: string; q: string };
