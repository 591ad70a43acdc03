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

/** What the provider of single sign-on is called, if there is one. */
export type SignInOptions = { provider: string | null };
export type ProviderLink = SignInOptions & { linked: boolean };

/** A sign-in that waits for a code, or for one of the person's passkeys. */
export type SecondFactor = { passkey: { publicKey: PublicKeyCredentialRequestOptionsJSON } | null };
export type SecondFactorProof = { code: string } | { passkey: unknown };

export type NewPasskeyOptions = { passkey: { publicKey: PublicKeyCredentialCreationOptionsJSON } };
export type Passkey = { id: number; name: string; created_at: string; last_used_at: string | null };
export type Passkeys = { available: boolean; passkeys: Passkey[] };

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

export type Subscription = {
  id: number;
  service: string;
  /** The network that confirmed it last; empty before the first time. */
  network: string;
  state: string;
  since: string;
  price_cents: number;
  period: string;
  can_end: boolean;
};

export type TimelineEntry = {
  at: string;
  service: string;
  kind: string;
  text: string;
  /** Further facts: a consent's wording, the network's reference, a reason. */
  detail?: string | null;
  cents?: number | null;
  ledger_id?: number | null;
  refundable?: boolean;
  message_id?: number | null;
  retryable?: boolean;
};

export type NoteKind = 'note' | 'complaint';
type Note = { at: string; by: string; kind: NoteKind; text: string };

/** What is known of a number. `ref` stands for the number in further calls, for the length of the session. */
export type NumberRecord = {
  ref: string;
  masked: string;
  month_spend_cents: number;
  /** Set while the number cannot join. */
  blocked: { at: string; by: string; reason: string } | null;
  subscriptions: Subscription[];
  timeline: TimelineEntry[];
  notes: Note[];
  refund_limit_cents: number;
};

export type Approval = {
  id: number;
  masked: string;
  cents: number;
  reason: string;
  requested_by: string;
  requested_at: string;
  /** Whether the reader requested it, and so may not decide. */
  mine: boolean;
};
