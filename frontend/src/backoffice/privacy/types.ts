/** Requests and replies about a person's rights to their data. */

/** What an erasure leaves. */
export type Kept = { what: string; rows: number | null; until: string; why: string };

export type ErasurePreview = {
  /** What has to be done first; empty where the number can be erased. */
  obstacles: string[];
  kept: Kept[];
  /** Where there is an erasure already. */
  state: 'waiting' | 'open' | null;
};

export type Erasure = {
  id: number;
  masked: string;
  reason: string;
  state: 'waiting' | 'refused' | 'open' | 'done' | 'impossible';
  requested_by: string;
  requested_at: string;
  decided_by: string | null;
  finished_at: string | null;
  /** Why it is still open, or impossible. */
  cause: string;
  confirmed: string[];
  missing: string[];
  /** Whether the reader requested it, and so may not decide. */
  mine: boolean;
};
