/** Requests and replies of the back office's API. */
export const ROLES = ['administrator', 'support', 'finance', 'publisher', 'editor'] as const;
export type Role = (typeof ROLES)[number];

export type Staff = { id: number; email: string; name: string; roles: Role[] };

export type Member = Staff & {
  state: 'invited' | 'active' | 'removed';
  locked_until: string | null;
  last_seen_at: string | null;
};

export type Invitation = {
  email: string;
  name: string;
  roles: Role[];
  totp_secret: string;
  totp_url: string;
  /** Whether the link renews an existing account. */
  resets: boolean;
};

/** A link for a person, shown once. */
export type AccessLink = { link: string; expires_at: string };

export type Session = {
  id: number;
  started_at: string;
  last_seen_at: string;
  address: string;
  agent: string;
  current: boolean;
};

export type AuditEntry = {
  id: number;
  at: string;
  staff_id: number | null;
  /** Empty where no member of staff acted. */
  staff: string;
  action: string;
  subject: string;
  details: unknown;
  hash: string;
};
export type AuditPage = { entries: AuditEntry[]; next: number | null };
export type AuditCheck = { entries: number; intact: boolean; broken_at: number | null };
