/** Requests and replies of the API. Written by `npm run types` from openapi-backoffice.json. */

/** What the invited person chose. */
export type Acceptance = {
  /** The six digits that the authenticator shows. */
  code: string;
  name: string;
  password: string;
};

/** Refunds of one request, which wait together. */
export type Approval = {
  /** Of all of them. */
  cents: number;
  charges: number;
  /** Johannesburg's calendar days of the first and the last charge. */
  first_day: string | null;
  id: number;
  last_day: string | null;
  masked: string;
  /** Whether the caller requested it, and so may not decide. */
  mine: boolean;
  reason: string;
  requested_at: string;
  requested_by: string;
  /** The brands; none where a release before this one entered the request, as the days. */
  services: string[];
};

/** Refunds that wait. */
export type Approvals = {
  /** Oldest first. */
  approvals: Approval[];
};

/** Who is to look after a day. */
export type AssignOrder = {
  network: string;
  /** A member of finance, also the caller; null: the day is free again. */
  staff_id: number | null;
};

/** A day of a network, and who looks after it. */
export type Assignment = {
  day: string;
  network: string;
  staff_id: number;
};

/** Days that are assigned, and the persons to whom they can be. */
export type Assignments = {
  assignments: Assignment[];
  /** By name. */
  colleagues: Colleague[];
};

/** An entry of the audit log. */
export type AuditEntry = {
  action: string;
  at: string;
  details: unknown;
  /** Over the previous entry's hash and this entry. */
  hash: string;
  id: number;
  /** The email address. */
  staff: string;
  /** None: the service itself. */
  staff_id: number | null;
  subject: string;
};

/** Whether a number is blocked from joining, and why. */
export type BlockOrder = {
  blocked: boolean;
  reason: string;
};

/** A block from joining. */
export type BlockView = {
  at: string;
  by: string;
  reason: string;
};

/** The book of a month. */
export type Book = {
  closed: Closing | null;
  /** By day, brand, network and price. */
  days: Line[];
  /** Where the ledger has changed since the month was closed. */
  drifts: Drift[];
  /** The income of the whole month, which closing it has to name. */
  income_cents: number;
  /** The same, added up by brand, network and price. */
  lines: Line[];
  /** YYYY-MM. */
  month: string;
  /** Why it cannot be closed now. */
  obstacles: string[];
  state: MonthStage;
  total: Figures;
};

/** A brand's service, and the network that charges for it. */
export type Brand = {
  network: string;
  service: string;
  svc_id: number;
};

/** A line of captions. */
export type CaptionLine = {
  /** When it goes, in seconds. */
  end: number;
  /** How it lies on the picture, as WebVTT writes it; mostly empty. */
  settings: string;
  /** When it appears, in seconds. */
  start: number;
  /** Its text, with the markup of WebVTT. */
  text: string;
};

/** Captions that can be shown. */
export type Captions = {
  /** Their path, for the field of a record. */
  captions: string;
  /** In the order of their times. */
  lines: CaptionLine[];
};

/** A case. */
export type Case = {
  at: string;
  cents: number;
  /** The day of the charge, YYYY-MM-DD. */
  day: string;
  /** The number that its subscriber was told. */
  id: number;
  masked: string;
  service: string;
  /** The complaint in words, and why no rule has settled it. */
  text: string;
};

/** One event of a record's history. */
export type CatalogueEvent = {
  /** `added`, `changed` or `removed` by an import; `listed`, `unlisted` or `deleted` by a take-down or its reversal. */
  action: string;
  /** When, UTC. */
  at: Time;
  /** The record as it was before, where an import changed it. */
  before: Record<string, unknown> | null;
  /** The id of an import's change. */
  change: number | null;
  /** Why, of a take-down. */
  reason: string;
  /** A member of staff by email address, or `admin-token`. */
  who: string;
};

/** A field of a kind of record. */
export type CatalogueField = {
  /** The name of its type, `Title`. */
  form: string;
  /** Its name in manifests. */
  name: string;
  /** The kind of the record that it names by its slug. */
  refers_to: string | null;
  /** Whether every record has one. */
  required: boolean;
  /** The JSON Schema of its value in a manifest. */
  schema: Record<string, unknown>;
  /** The field and the language of a translation. */
  translation: CatalogueTranslation | null;
};

/** A kind of record. */
export type CatalogueKind = {
  /** Its fields, in the order of a form; last its translations, such as `video_name.zu`, by language. */
  fields: CatalogueField[];
  /** Its name, `video`. */
  kind: string;
  /** The kind of its parent. */
  parent: string | null;
  /** The field that names a record to a person. */
  title: string;
};

/** What a catalogue has: its services, and the kinds of their records. */
export type CatalogueKinds = {
  /** Each after those that it refers to. */
  kinds: CatalogueKind[];
  /** The services' names. */
  services: string[];
};

/** All catalogue services. */
export type CatalogueList = {
  catalogues: CatalogueView[];
};

/** A record of a catalogue. */
export type CatalogueRecord = {
  /** Whether an editor took it down: imports do not change its state. */
  held: boolean;
  /** Its id in the public API. */
  id: Id;
  /** Its fields as in a manifest, without those that have their default; times are UTC. */
  record: Record<string, unknown>;
  /** The editors' key. */
  slug: string;
  /** What names it to a person. */
  title: string;
  /** Whether visitors see it now. */
  visibility: RecordVisibility;
};

/** A page of records. */
export type CatalogueRecords = {
  /** `after` of the next page; null on the last. */
  next: string | null;
  /** In the order requested. */
  records: CatalogueRecord[];
  /** How many there are on all pages, counted as far as 10,001; null on every page but the first. */
  total: Count | null;
};

/** What a field translates. */
export type CatalogueTranslation = {
  /** The field whose text it translates. */
  field: string;
  /** The code of the language. */
  language: string;
};

/** A catalogue service. */
export type CatalogueView = {
  /** "comedy", "diski", "meme" or "tt". */
  catalogue: string;
  /** Its services and the kinds of their records; null where it does not answer. */
  content: CatalogueKinds | null;
};

/** Which charges, and why. Without a network and a service: all. */
export type ChargeOrder = {
  /** Only charges of this network. */
  network?: string;
  reason: string;
  /** Only charges of this service. */
  svc_id?: number;
};

/** A pause of charges. */
export type ChargePause = {
  /** Null while it lasts. */
  end: ChargePauseEnd | null;
  /** Who paused them. */
  made_by: string;
  /** Only charges of this network; empty: of all that do not charge by themselves. */
  network: string;
  reason: string;
  /** Its name. */
  service: string;
  since: string;
  /** Only charges of this service; 0: of all. */
  svc_id: number;
};

/** The end of a pause. */
export type ChargePauseEnd = {
  at: string;
  /** Who resumed them. */
  made_by: string;
  reason: string;
};

/** Which charges are paused, and which can be. */
export type ChargePauses = {
  /** The last ones that were ended, newest first. */
  ended: ChargePause[];
  networks: PausableNetwork[];
  /** Those that last, oldest first. */
  pauses: ChargePause[];
  services: PublisherBrand[];
};

/** The outcome of a check. */
export type Check = {
  /** The first entry that does not follow from those before it. */
  broken_at: number | null;
  /** How many entries were read. */
  entries: number;
  intact: boolean;
};

/** The income that the person who closes the month has seen. */
export type CloseOrder = {
  income_cents: number;
};

/** Who closed a month, and when. */
export type Closing = {
  at: string;
  by: string;
  /** The SHA-256 of the closed lines, which the audit log has as well. */
  hash: string;
  /** Whether the lines still have that hash. */
  intact: boolean;
};

/** A member of finance. */
export type Colleague = {
  id: number;
  name: string;
};

/** Whether the lists are accepted even if they contradict the ledger, and why. */
export type CompareOrder = {
  accept?: boolean;
  /** Needed to accept. */
  reason?: string;
};

/** A day's newest comparison with a network's list. */
export type ComparedDay = {
  agreed: number;
  cause: string;
  day: string;
  differences: number;
  listed: number;
  network: string;
  settled: number;
  state: ComparisonState;
};

/** Days that were compared. */
export type ComparedDays = {
  /** Newest first. */
  days: ComparedDay[];
};

/** A day's comparison with one network. */
export type ComparedNetwork = {
  agreed: number;
  cause: string | null;
  /** Settled charges that the list lacks, or has with other data. */
  contradictions: number;
  listed: number;
  network: string;
  settled: number;
  state: ComparisonState;
};

/** What became of a day's comparison. */
export type ComparisonState = 'running' | 'repaired' | 'held' | 'failed';

/** What a party gets of the net income of a network, from a day on. */
export type ContractTerm = {
  at: string;
  /** Hundredths of a percent; 0 ends it. */
  basis_points: number;
  /** Who entered it. */
  by: string;
  id: number;
  network: string;
  party: string;
  /** Johannesburg's calendar day, YYYY-MM-DD. */
  since: string;
  /** 0: every brand of the network that has no term of its own with this party. */
  svc_id: number;
};

/** A count; never negative. */
export type Count = number;

/** What was counted in the ledger for a line. */
export type Counted = {
  charged: Sum;
  failed: Sum;
  given_back: Sum;
};

/** A sign-in. */
export type Credentials = {
  /** The six digits of the authenticator. Empty: a person with passkeys uses one in the next step. */
  code: string;
  email: string;
  password: string;
};

/** A comparison. */
export type DayComparison = {
  agreed: number;
  day: string;
  differences: DayDifference[];
  /** Charges on the networks' lists. */
  listed: number;
  /** How many more there are. */
  more: number;
  networks: ComparedNetwork[];
};

/** One difference, without the whole number. */
export type DayDifference = {
  cents: number;
  /** "charged_not_settled", "charged_not_recorded", "charged_after_leaving", "charged_twice", "never_charged", "not_listed", "amount_differs", "unknown_service", "unreadable_row" or "repair_undone". */
  kind: string;
  ledger_id: number | null;
  masked: string;
  network: string;
  /** "settled", "excess_refunded", "refunded", "countered" or "none". */
  repair: string;
  svc_id: number;
};

/** One day's money. */
export type DayMoney = {
  charged_cents: number;
  charges: number;
  day: string;
  failed: number;
  given_back_cents: number;
  /** Charges and refunds without an outcome. */
  open: number;
};

/** One day's joins and leaves. */
export type DayMoves = {
  day: string;
  joins: number;
  leaves: number;
};

/** What the second person decides, and why. */
export type Decision = {
  accept: boolean;
  reason: string;
};

/** A record that is not imported yet. */
export type Draft = {
  at: string;
  /** The record when the draft was begun; null for a new one. */
  base: Record<string, unknown> | null;
  /** Who saved it last. */
  by: string;
  catalogue: string;
  id: number;
  kind: string;
  /** Whether the reader saved it last. */
  mine: boolean;
  /** Why it was sent back; else empty. */
  reason: string;
  /** Its fields, without those that have their default; times are UTC. */
  record: Record<string, unknown>;
  /** The import of the release that it was put into last. */
  release: Id | null;
  /** Who sent it back. */
  returned_by: string | null;
  service: string;
  slug: string;
  state: DraftState;
  /** Counts its saves. */
  version: number;
};

/** The state of a draft that is open. */
export type DraftState = 'draft' | 'review' | 'publishing';

/** Drafts that are open. */
export type Drafts = {
  /** Saved last first, at most 500. */
  drafts: Draft[];
};

/** A line of a closed month whose ledger has changed since. */
export type Drift = {
  closed: Counted;
  day: string;
  /** The later closed month that has the difference as a correction; null while the oldest open month shows it. */
  entered_in: string | null;
  network: string;
  now: Counted;
  price_cents: number;
  service: string;
  svc_id: number;
};

/** Another person who edits. */
export type Editor = {
  /** When they typed last. */
  at: string;
  name: string;
};

/** Which subscription ends, and why. */
export type EndOrder = {
  reason: string;
  subscription_id: number;
};

/** A page of entries. */
export type Entries = {
  /** Newest first, at most 100. */
  entries: AuditEntry[];
  /** `before` of the next page; null on the last. */
  next: number | null;
};

/** An erasure. */
export type Erasure = {
  /** Why it is still open, or impossible; may be empty. */
  cause: string;
  /** The services that have confirmed it. */
  confirmed: string[];
  decided_by: string | null;
  finished_at: string | null;
  id: number;
  masked: string;
  /** Whether the caller requested it, and so may not decide. */
  mine: boolean;
  /** Those that have not. */
  missing: string[];
  reason: string;
  requested_at: string;
  requested_by: string;
  state: ErasureStage;
};

/** What the second person decides, and why. */
export type ErasureDecision = {
  accept: boolean;
  reason: string;
};

/** What an erasure would leave, and what has to be done before it. */
export type ErasurePreview = {
  kept: Kept[];
  /** In words; empty where the number can be erased. */
  obstacles: string[];
  /** "waiting" or "open", where there is an erasure already. */
  state: ErasureStage | null;
};

/** How far an erasure is. */
export type ErasureStage = 'waiting' | 'refused' | 'open' | 'done' | 'impossible';

/** What became of a request. */
export type ErasureState = {
  /** "waiting", or "open" where it was approved already. */
  state: ErasureStage;
};

/** Erasures. */
export type Erasures = {
  /** Newest first, at most 100. */
  erasures: Erasure[];
};

/** In which form, and why. */
export type ExportOrder = {
  format: Format;
  reason: string;
};

/** A field before and after an import; times are UTC. */
export type FieldChange = {
  /** Its value then. */
  after: unknown;
  /** Its value now; null: none, or its default. */
  before: unknown;
  /** The field. */
  field: string;
};

/** The money of a line, or of several. */
export type Figures = {
  charged: Sum;
  failed: Sum;
  given_back: Sum;
  /** Charged less given back, with VAT. */
  income_cents: number;
  /** The income without VAT. */
  net_cents: number;
  /** Charges and refunds whose outcome is not known yet; no part of the income. */
  open: Sum;
  /** What remains of net. */
  own_cents: number;
  /** Of net, by contract. */
  shares: Share[];
  vat_cents: number;
};

/** A film that is ready, as the fields of a record. */
export type Film = {
  bytes: number;
  /** Of the film's own text track. */
  captions: string | null;
  duration_s: number;
  image: string;
  media: string;
  /** The number of the picture that is its poster. */
  still: number;
};

/** A form of an export or a dossier. */
export type Format = 'json' | 'html';

/** How far a charge is given back. */
export type GivenBack = 'whole' | 'part' | 'on_its_way' | 'waits';

/** Whether all joins of a publisher are held. */
export type Hold = {
  /** Since when. */
  at: string;
  /** "limits", or who decided. */
  made_by: string;
  reason: string;
  state: HoldState;
};

/** Which publisher is held or released, and why. */
export type HoldOrder = {
  ext_ref: string;
  reason: string;
};

/** What was decided last about a publisher. */
export type HoldState = 'held' | 'released';

/** An id: a positive 64-bit integer. */
export type Id = number;

/** The changes of an import to one kind of record. */
export type ImportChange = {
  /** Records that are new. */
  added: Count;
  /** Slugs of the first new records. */
  added_names: string[];
  /** Records that are different. */
  changed: Count;
  /** Slugs of the first different records. */
  changed_names: string[];
  /** The kind of record, `video`. */
  kind: string;
  /** Records that the manifest does not have and that go with `prune`. */
  removed: Count;
  /** Slugs of the first records that go. */
  removed_names: string[];
  /** Records that are there already, word for word. */
  unchanged: Count;
};

/** One thing that is wrong with a manifest. */
export type ImportFault = {
  /** The field at fault. */
  field: string;
  /** The kind of record. */
  kind: string;
  /** The problem, as a sentence. */
  message: string;
  /** The slug that the field names, where it names another record. */
  names?: string | null;
  /** The record's line in the manifest. */
  place: number;
  /** The record's slug. */
  slug: string;
};

/** What the page of an invitation shows. */
export type Invitation = {
  email: string;
  name: string;
  /** Whether it replaces the password of an account in use. */
  resets: boolean;
  roles: Role[];
  /** The second factor's secret in base32. */
  totp_secret: string;
  /** The same as an `otpauth` address. */
  totp_url: string;
};

/** A text to be kept. */
export type KeepOrder = {
  form: string;
  /** `ref` of the record, for a form about a number. */
  record?: string | null;
  /** Whether the caller edits instead of another person. */
  take_over?: boolean;
  /** The typed text, as the form writes it; at most 48 KiB. */
  text: string;
  /** The version that it replaces; 0 where there was none. */
  version: number;
};

/** What stays of a table. */
export type Kept = {
  /** How many; null where they cannot be counted by a number. */
  rows: number | null;
  /** Continues "kept". */
  until: string;
  /** What a row is. */
  what: string;
  /** Why they stay. */
  why: string;
};

/** A text that was kept. */
export type KeptDraft = {
  /** As for the text that is read. */
  editor: Editor | null;
  version: number;
};

/** A line of a book. */
export type Line = Figures & {
  /** The closed month in which the ledger changed afterwards; null for the month's own lines. */
  correction_of: string | null;
  /** Johannesburg's calendar day; empty in sums of a month. */
  day: string;
  network: string;
  price_cents: number;
  service: string;
  svc_id: number;
};

/** A link for an administrator to pass on. */
export type Link = {
  expires_at: string;
  link: string;
};

/** One thing that is wrong with a manifest. */
export type ManifestProblem = {
  /** The column in bytes, counted from 1, where it is known. */
  column: Count | null;
  /** The field, or the column's name. */
  field: string | null;
  /** The line, counted from 1; 0 where the file as a whole is meant. */
  line: Count;
  /** The problem, as a sentence. */
  message: string;
  /** The position in a JSON document: a JSON Pointer (RFC 6901). */
  pointer: string | null;
};

/** Whether a member of staff may sign in. */
export type MemberState = 'invited' | 'active' | 'removed';

/** What a message does. */
export type MessageKind = 'sms' | 'stop' | 'refund';

/** How many records lack a translation. */
export type MissingTranslations = {
  /** The language's code. */
  language: string;
  /** Records with a text that is not translated into it. */
  missing: Count;
};

/** Charges and refunds, in cents with VAT. */
export type Money = {
  /** Today, yesterday, and the same day of the last week. */
  days: DayMoney[];
  /** Today's hours in Johannesburg with charges or refunds. */
  hours: OverviewHour[];
};

/** All months since the ledger begins. */
export type MonthList = {
  brands: Brand[];
  /** Newest first. */
  months: MonthState[];
};

/** How far a month is. */
export type MonthStage = 'running' | 'over' | 'closed';

/** A month, and what became of it. */
export type MonthState = {
  closed: Closing | null;
  /** YYYY-MM. */
  month: string;
  state: MonthStage;
};

/** A new member of staff. */
export type NewInvitation = {
  email: string;
  name: string;
  roles: Role[];
};

/** A new note. */
export type NewNote = {
  kind: NoteKind;
  text: string;
};

/** A passkey that a browser has made. */
export type NewPasskey = {
  /** What the person calls it. */
  name: string;
  /** The credential of `navigator.credentials.create`, as JSON. */
  passkey: Record<string, unknown>;
};

/** A new term. */
export type NewTerm = {
  basis_points: number;
  network: string;
  party: string;
  since: string;
  svc_id: number;
};

/** A new rate of VAT. */
export type NewVatRate = {
  basis_points: number;
  since: string;
};

/** A note. */
export type Note = {
  at: string;
  /** The author's email address. */
  by: string;
  kind: NoteKind;
  text: string;
};

/** What a note is about. */
export type NoteKind = 'note' | 'complaint';

/** What is known of a number. */
export type NumberRecord = {
  /** Set while the number cannot join. */
  blocked: BlockView | null;
  masked: string;
  /** Charged since the Johannesburg month began, less refunds, over all brands. */
  month_spend_cents: number;
  /** Newest first. */
  notes: Note[];
  /** Stands for the number in further calls of this session. */
  ref: string;
  /** What it still leaves to the caller. */
  refund_left_cents: number;
  /** Refunds beyond it in 24 hours wait for a second person. */
  refund_limit_cents: number;
  subscriptions: SubscriptionView[];
  /** Newest first. */
  timeline: TimelineEntry[];
};

/** What waits or does not work. */
export type Operations = {
  messages: OverviewMessages[];
  networks: OverviewNetwork[];
  /** Today's charges beyond a limit, which are not sent. */
  parked: number;
  /** For how long one of today's passes has been open. */
  pass_open_seconds: number;
  /** For how long a due pass has not begun. */
  pass_overdue_seconds: number;
  /** For how long a restored database has not caught up, in which nothing is charged; 0: it has. */
  restored_seconds: number;
};

/** The day at a glance. A part is null for who has none of its roles. */
export type Overview = {
  /** For finance and administrators. */
  money: Money | null;
  /** For support and administrators. */
  operations: Operations | null;
  /** For support, finance and administrators: charges that staff have paused, oldest first. */
  pauses: ChargePause[] | null;
  /** For support, finance and administrators. */
  subscribers: Subscribers | null;
  /** For support, finance and administrators: publishers that the limits hold, about which a person has to decide. */
  undecided_publishers: number | null;
};

/** One hour's money. */
export type OverviewHour = {
  charged_cents: number;
  given_back_cents: number;
  /** 0 to 23. */
  hour: number;
};

/** The messages of one kind. */
export type OverviewMessages = {
  /** Messages that the network refused. */
  dead: number;
  kind: MessageKind;
  /** The age of the oldest urgent one. */
  oldest_seconds: number;
  waiting: number;
};

/** The state of one network. */
export type OverviewNetwork = {
  failed_days: number;
  /** Days whose comparison waits for a person, and days that could not be compared. */
  held_days: number;
  network: string;
  /** Today's charges that are not settled yet. */
  open: number;
  /** Whether charging pauses, because the network does not answer. */
  paused: boolean;
  /** Charges with an unknown outcome, and the age of the oldest. */
  unknown: number;
  unknown_seconds: number;
};

/** The subscriptions of one service. */
export type OverviewService = {
  active: number;
  pending: number;
  service: string;
  suspended: number;
  svc_id: number;
};

/** A passkey of the caller. */
export type OwnPasskey = {
  created_at: string;
  id: number;
  last_used_at: string | null;
  name: string;
};

/** The caller's passkeys. */
export type OwnPasskeys = {
  /** Whether the back office has a host name: without one, browsers know no passkeys. */
  available: boolean;
  /** Oldest first. */
  passkeys: OwnPasskey[];
};

/** A network, as far as its charges can be paused. */
export type PausableNetwork = {
  /** Its charges cannot be paused here, by no scope. */
  charges_by_itself: boolean;
  network: string;
};

/** How often a price is charged. */
export type Period = 'day' | 'week' | 'month';

/** A member of staff. */
export type Person = {
  email: string;
  id: number;
  name: string;
  roles: Role[];
};

/** A picture that is published. */
export type Picture = {
  bytes: number;
  /** Pixels. */
  height: number;
  /** Its address, for the field of a record. */
  image: string;
  /** Pixels. */
  width: number;
};

/** The picture that becomes the poster. */
export type PosterOrder = {
  still: number;
};

/** A link to a preview. */
export type PreviewLink = {
  until: string;
  /** An address of the brand's site. */
  url: string;
};

/** The caller's text of a form. */
export type PrivateDraft = {
  at: string | null;
  /** Set while another person edits, and the caller has not taken over. */
  editor: Editor | null;
  /** Empty without one. */
  text: string;
  /** 0 without one. */
  version: number;
};

/** An error reply: problem details (RFC 9457). */
export type Problem = {
  /** A message for the visitor, in the language of `Content-Language`. */
  detail: string;
  /** The same message. */
  error_message: string;
  /** The request id, as in the logs. */
  request_id: string;
  /** The reply's status. */
  status: number;
  /** The reason phrase of the status. */
  title: string;
  /** The type of the problem. */
  type: string;
};

/** What a person who accepts an invitation by single sign-on chose. */
export type ProviderAcceptance = {
  /** The six digits that the authenticator shows. */
  code: string;
  name: string;
};

/** Where the browser goes. */
export type ProviderAddress = {
  address: string;
};

/** Whether the caller's account is linked. */
export type ProviderLink = {
  linked: boolean;
  /** What the provider of single sign-on is called; null without one. */
  provider: string | null;
};

/** A brand's service. */
export type PublisherBrand = {
  service: string;
  svc_id: number;
};

/** A publisher's joins of one brand. */
export type PublisherLine = {
  /** Held joins whose visitor had to type a code. */
  codes: number;
  /** Joins that the network confirmed. */
  confirmed: number;
  /** Empty: visitors who came by themselves. */
  ext_ref: string;
  held: number;
  /** Shares in hundredths of a percent: held joins of the tries, early ends and refunds of the confirmed joins. */
  held_basis_points: number;
  /** Null where the publisher was never held. */
  hold: Hold | null;
  left_basis_points: number;
  /** Subscriptions that ended within 24 hours, at their subscriber's request. */
  left_early: number;
  /** Of these, the joins that went on with it. */
  passed_by_code: number;
  /** Charges that staff gave back. */
  refunded: number;
  refunded_basis_points: number;
  service: string;
  /** 0: held without a join in the month, or counted before brands were. */
  svc_id: number;
  /** Joins of persons and held ones; a person who was held at first and typed the code counts once. */
  tries: number;
};

/** A page of the publishers of a month. */
export type PublisherPage = {
  /** Whether joins are held; else they are only counted. */
  is_enforced: boolean;
  /** How many months counts and evidence are kept. */
  kept_months: number;
  month: string;
  /** `offset` of the next page; null on the last one. */
  next: number | null;
  publishers: PublisherLine[];
  services: PublisherBrand[];
  /** The month that runs. */
  this_month: string;
};

/** Why an action. */
export type Reason = {
  reason: string;
};

/** A record that an import changes. */
export type RecordDifference = {
  /** The fields that change. */
  fields: FieldChange[];
  /** Its line in the file; null where it goes. */
  line: Count | null;
  /** The record's key. */
  slug: string;
  /** What names it to a person. */
  title: string;
};

/** A page of a difference. */
export type RecordDifferences = {
  /** By slug. */
  differences: RecordDifference[];
  /** `after` of the next page; null on the last. */
  next: string | null;
};

/** A record as it is, what happened to it, and what becomes of it. */
export type RecordView = {
  /** The draft that is open. */
  draft: Draft | null;
  /** Newest first. */
  events: CatalogueEvent[];
  /** Whether the changes go back to the record's beginning. Else older ones were deleted, or are beyond the first 200. */
  is_complete: boolean;
  /** For how many months changes are kept. */
  kept_months: number;
  /** Null: it is not published yet. */
  live: CatalogueRecord | null;
};

/** Whether visitors see a record now, and else why not. */
export type RecordVisibility = 'listed' | 'scheduled' | 'expired' | 'unlisted' | 'deleted';

/** Which charges, and why. */
export type RefundOrder = {
  /** `ledger_id` of entries of the timeline. */
  ledger_ids: number[];
  reason: string;
};

/** What became of a request. */
export type RefundOutcome = 'made' | 'open' | 'waits' | 'refused';

/** What became of a request to give charges back. */
export type RefundReply = {
  cents: number;
  /** How many charges, and their sum; without `refused`. */
  charges: number;
  /** Those that cannot be given back. */
  refused: RefusedCharge[];
  state: RefundOutcome;
};

/** A charge that cannot be given back. */
export type RefusedCharge = {
  ledger_id: number;
  /** In the language of the call. */
  why: string;
};

/** What a browser needs to make a passkey. */
export type RegistrationOptions = {
  /** The options for `navigator.credentials.create`. */
  passkey: Record<string, unknown>;
};

/** Drafts that go live together. */
export type ReleaseOrder = {
  /** Drafts of one site: submitted ones, and the caller's own. */
  drafts: SeenDraft[];
  /** What a person calls it. */
  name: string;
  /** When all of them are shown, with an offset or in Johannesburg; null: as each record says. */
  publish_at: string | null;
};

/** Why a draft is sent back. */
export type ReturnOrder = {
  reason: string;
  version: number;
};

/** A whole number. */
export type Revealed = {
  number: string;
};

/** What a member of staff may do. */
export type Role = 'editor' | 'publisher' | 'support' | 'finance' | 'administrator';

/** The second administrator's decision. */
export type RoleDecision = {
  accept: boolean;
  role: Role;
};

/** A form to be saved. */
export type SaveOrder = {
  /** Whether the record is a new one: its slug must be free. */
  new?: boolean;
  /** The fields as in a JSON manifest; times without an offset are in Johannesburg. */
  record: Record<string, unknown>;
  service: string;
  /** The version of the draft that it replaces; null where there was none. */
  version?: number | null;
};

/** Which number. */
export type Search = {
  /** A mobile number in any common format, `network:token`, or the number of a case after `#`. */
  number: string;
};

/** What is still needed: a code, or one of the person's passkeys. */
export type SecondFactor = {
  /** The options for `navigator.credentials.get`; null without a passkey. */
  passkey: Record<string, unknown> | null;
};

/** The second factor: one of the two. */
export type SecondFactorProof = {
  /** The six digits of the authenticator. */
  code?: string | null;
  /** The credential of `navigator.credentials.get`, as JSON. */
  passkey?: Record<string, unknown> | null;
};

/** A draft as the person saw it. */
export type SeenDraft = {
  id: Id;
  version: number;
};

/** What a publisher saw of a file. */
export type SeenImport = {
  /** `difference` as it was shown. */
  difference: string;
  /** The number of records that go, where `confirm` has one: typed by the person. */
  removals?: number | null;
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string;
};

/** A session. */
export type Session = {
  /** The address of the connection. */
  address: string;
  agent: string;
  /** Whether it is the one of this call. */
  current: boolean;
  id: number;
  last_seen_at: string;
  started_at: string;
};

/** Sessions. */
export type Sessions = {
  /** Newest first. */
  sessions: Session[];
};

/** A party's part of the net income. */
export type Share = {
  cents: number;
  party: string;
};

/** How staff can sign in. */
export type SignInOptions = {
  /** What the provider of single sign-on is called; null without one. */
  provider: string | null;
};

/** The member of staff of a session. */
export type SignedIn = {
  staff: Person;
};

/** What an administrator sets. */
export type StaffChange = {
  removed: boolean;
  roles: Role[];
};

/** All members of staff. */
export type StaffList = {
  /** By email address. */
  staff: StaffMember[];
};

/** A member of staff as administrators see them. */
export type StaffMember = {
  email: string;
  id: number;
  last_seen_at: string | null;
  /** Set while ten failed attempts lie within fifteen minutes. */
  locked_until: string | null;
  name: string;
  roles: Role[];
  state: MemberState;
  /** Requested by one administrator. */
  waiting: WaitingRole[];
};

/** Which state a record gets, and why. */
export type StateOrder = {
  reason: string;
  service: string;
  /** "unlisted": in no list; "deleted": no visitor sees it; "listed": back, and imports change its state again. */
  state: string;
};

/** The subscribers of one brand at one network and price, on a day. */
export type SubscriberDay = {
  day: string;
  /** Subscriptions that the network confirmed. */
  joins: number;
  /** Subscriptions that ended. */
  leaves: number;
  network: string;
  price_cents: number;
  /** Active and suspended subscriptions when they were counted last on that day; null on a day on which they were not. */
  running: number | null;
  service: string;
  svc_id: number;
};

/** Subscribers by day. */
export type SubscriberDays = {
  /** By day, brand, network and price. */
  days: SubscriberDay[];
};

/** Joins and leaves. */
export type Subscribers = {
  /** When the sums of today were counted, every five minutes; null before the first time. */
  counted_at: string | null;
  /** Today, yesterday, and the same day of the last week. */
  days: DayMoves[];
  now: string;
  /** Empty until they were counted for the first time. */
  services: OverviewService[];
};

/** The state of a subscription; only "active" gives access. */
export type SubscriptionState = 'pending' | 'active' | 'suspended' | 'cancelled';

/** A subscription of the number. */
export type SubscriptionView = {
  /** Whether there is something to end. */
  can_end: boolean;
  id: number;
  /** The network that confirmed it last; empty before the first time. */
  network: string;
  period: Period;
  price_cents: number;
  service: string;
  since: string;
  state: SubscriptionState;
};

/** How many rows of the ledger, and their cents with VAT. */
export type Sum = {
  cents: number;
  entries: number;
};

/** All terms and rates; of two for the same, the later in the list holds from its day on. */
export type Terms = {
  terms: ContractTerm[];
  vat: VatRate[];
};

/** A time, UTC. */
export type Time = string;

/** Something that happened to a number. */
export type TimelineEntry = {
  at: string;
  cents: number | null;
  /** The id of a consent, and of the consent that allows a charge. */
  consent: string | null;
  /** Further facts. */
  detail: string;
  /** How far a charge is given back; null where nothing of it is, or is to be. */
  given_back: GivenBack | null;
  /** "join", "leave", "state", "consent", "session", "charge", "failure", "refund", "complaint" or "message". */
  kind: string;
  /** The charge to give back, where `refundable`. */
  ledger_id: number | null;
  /** The message to send again, where `retryable`. */
  message_id: number | null;
  /** The cents of a charge that were not given back. */
  open_cents: number | null;
  refundable: boolean;
  retryable: boolean;
  /** The brand; empty where it concerns none. */
  service: string;
  text: string;
  /** Why a charge was made, in one sentence; empty for everything else. */
  why: string;
};

/** The translations of a kind of record. */
export type TranslationCounts = {
  /** By language. */
  languages: MissingTranslations[];
  /** The records that are not deleted. */
  records: Count;
};

/** Which change is undone. */
export type UndoOrder = {
  /** `change` of the history's event. */
  change: number;
};

/** A film or a picture that is uploaded. */
export type Upload = {
  at: string;
  by: string;
  /** When it is deleted, unless it goes on; a finished film stays in the media folder. */
  expires_at: string;
  film: Film | null;
  id: number;
  kind: UploadKind;
  /** What was done, line by line. */
  log: string;
  /** Whether it is the reader's: only they can go on with it. */
  mine: boolean;
  /** The time of the file's last change as the browser named it, by which the same file is known again. */
  modified: string;
  /** The name of the file. */
  name: string;
  /** The bytes that have arrived. */
  offset: number;
  /** Of transcoding. */
  percent: number;
  picture: Picture | null;
  /** Why it failed, or what it waits for; else empty. */
  reason: string;
  service: string;
  size: number;
  state: UploadState;
  /** The number of pictures to choose a poster from. */
  stills: number;
};

/** What is uploaded. */
export type UploadKind = 'film' | 'picture';

/** Uploads. */
export type UploadList = {
  /** The address of the folder of uploaded pictures; null where there is none. */
  pictures: string | null;
  /** Whether films can be uploaded here. */
  possible: boolean;
  /** Newest first, at most 200. */
  uploads: Upload[];
};

/** How far an upload is. */
export type UploadState = 'uploading' | 'waiting' | 'transcoding' | 'checking' | 'ready' | 'failed';

/** A file that is staged, or what is wrong with it. */
export type UploadedFile = {
  /** The id of its import; null where it has problems. */
  import: Id | null;
  /** What is wrong with it, in the order of its lines, at most 200. */
  problems: ManifestProblem[];
  /** How many records it has. */
  records: Count;
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string;
};

/** A file whose records wait. */
export type UploadedImport = {
  /** When, UTC. */
  at: Time;
  /** The file's name. */
  file: string;
  /** The import's id. */
  id: Id;
  /** Whether records that it does not have go. */
  prune: boolean;
  /** How many records it has. */
  records: Count;
  /** The service of all its records. */
  service: string;
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** Who uploaded it: a member of staff by email address, or `admin-token`. */
  who: string;
};

/** A file whose records wait, and what applying it changes now. */
export type UploadedImportDifference = {
  /** By kind of record. */
  changes: ImportChange[];
  /** The number of records that go, which has to be confirmed where it is more than a tenth of a kind's records; else null. */
  confirm: Count | null;
  /** Names the whole difference: it is applied only while it is the same. */
  difference: string;
  /** The problems; if there are any, it cannot be applied. */
  faults: ImportFault[];
  /** The file. */
  import: UploadedImport;
};

/** The rate of VAT from a day on. */
export type VatRate = {
  at: string;
  /** Hundredths of a percent. */
  basis_points: number;
  /** Who entered it; empty for the rate that was there from the start. */
  by: string;
  id: number;
  /** Johannesburg's calendar day, YYYY-MM-DD. */
  since: string;
};

/** The version that the person saw. */
export type VersionOrder = {
  version: number;
};

/** A file that waits, and where. */
export type WaitingImport = {
  /** The catalogue service. */
  catalogue: string;
  import: UploadedImport;
};

/** The files that wait. */
export type WaitingImports = {
  /** Newest first, of the catalogues that answer. */
  imports: WaitingImport[];
};

/** A role that waits for a second administrator. */
export type WaitingRole = {
  /** Whether the caller requested it, and so may not decide. */
  mine: boolean;
  requested_at: string;
  requested_by: string;
  role: Role;
};

/** A parameter of an address; an empty text is left out. */
type Parameter = string | number | boolean;

/** What each call takes and answers. */
export type Calls = {
  'GET /api/approvals': { reply: Approvals };
  'POST /api/approvals/{id}': { path: { id: Parameter }; body: Decision; reply: RefundReply };
  'GET /api/audit': { query?: { before?: Parameter; staff?: Parameter; action?: Parameter }; reply: Entries };
  'GET /api/audit/check': { reply: Check };
  'GET /api/audit/export': { reply: unknown };
  'GET /api/captions': { query: { captions: Parameter }; reply: Captions };
  'POST /api/captions': { query: { service: Parameter; slug: Parameter; language: Parameter }; body: Blob; reply: Captions };
  'POST /api/charges/pause': { body: ChargeOrder; reply: ChargePause };
  'GET /api/charges/pauses': { reply: ChargePauses };
  'POST /api/charges/resume': { body: ChargeOrder; reply: ChargePause };
  'GET /api/content/drafts': { reply: Drafts };
  'DELETE /api/content/drafts/{id}': { path: { id: Parameter }; reply: undefined };
  'POST /api/content/drafts/{id}/publish': { path: { id: Parameter }; body: VersionOrder; reply: CatalogueRecord };
  'POST /api/content/drafts/{id}/return': { path: { id: Parameter }; body: ReturnOrder; reply: undefined };
  'POST /api/content/drafts/{id}/submit': { path: { id: Parameter }; body: VersionOrder; reply: undefined };
  'GET /api/content/imports': { reply: WaitingImports };
  'GET /api/content/kinds': { reply: CatalogueList };
  'POST /api/content/releases': { body: ReleaseOrder; reply: UploadedFile };
  'POST /api/content/{catalogue}/imports': { path: { catalogue: Parameter }; query: { service: Parameter; file: Parameter; prune?: Parameter }; body: Blob; reply: UploadedFile };
  'DELETE /api/content/{catalogue}/imports/{id}': { path: { catalogue: Parameter; id: Parameter }; reply: undefined };
  'GET /api/content/{catalogue}/imports/{id}': { path: { catalogue: Parameter; id: Parameter }; reply: UploadedImportDifference };
  'POST /api/content/{catalogue}/imports/{id}/apply': { path: { catalogue: Parameter; id: Parameter }; body: SeenImport; reply: ImportChange[] };
  'GET /api/content/{catalogue}/imports/{id}/differences': { path: { catalogue: Parameter; id: Parameter }; query: { kind: Parameter; action: Parameter; after?: Parameter; limit?: Parameter }; reply: RecordDifferences };
  'POST /api/content/{catalogue}/imports/{id}/preview': { path: { catalogue: Parameter; id: Parameter }; reply: PreviewLink };
  'POST /api/content/{catalogue}/{kind}/drafts': { path: { catalogue: Parameter; kind: Parameter }; body: SaveOrder; reply: Draft };
  'GET /api/content/{catalogue}/{kind}/export.csv': { path: { catalogue: Parameter; kind: Parameter }; query: { service: Parameter; state?: Parameter; parent?: Parameter; q?: Parameter; missing?: Parameter; sort?: Parameter; after?: Parameter; limit?: Parameter }; reply: unknown };
  'GET /api/content/{catalogue}/{kind}/records': { path: { catalogue: Parameter; kind: Parameter }; query: { service: Parameter; state?: Parameter; parent?: Parameter; q?: Parameter; missing?: Parameter; sort?: Parameter; after?: Parameter; limit?: Parameter }; reply: CatalogueRecords };
  'GET /api/content/{catalogue}/{kind}/records/{slug}': { path: { catalogue: Parameter; kind: Parameter; slug: Parameter }; query: { service: Parameter }; reply: RecordView };
  'POST /api/content/{catalogue}/{kind}/records/{slug}/preview': { path: { catalogue: Parameter; kind: Parameter; slug: Parameter }; query: { service: Parameter }; reply: PreviewLink };
  'POST /api/content/{catalogue}/{kind}/records/{slug}/state': { path: { catalogue: Parameter; kind: Parameter; slug: Parameter }; body: StateOrder; reply: undefined };
  'POST /api/content/{catalogue}/{kind}/records/{slug}/undo': { path: { catalogue: Parameter; kind: Parameter; slug: Parameter }; query: { service: Parameter }; body: UndoOrder; reply: Draft };
  'GET /api/content/{catalogue}/{kind}/translations': { path: { catalogue: Parameter; kind: Parameter }; query: { service: Parameter }; reply: TranslationCounts };
  'GET /api/erasures': { reply: Erasures };
  'POST /api/erasures/{id}': { path: { id: Parameter }; body: ErasureDecision; reply: undefined };
  'GET /api/erasures/{id}/letter.txt': { path: { id: Parameter }; reply: unknown };
  'GET /api/film': { query: { media: Parameter }; reply: unknown };
  'GET /api/finance/assignments': { reply: Assignments };
  'GET /api/finance/books/{month}': { path: { month: Parameter }; query?: { svc_id?: Parameter; network?: Parameter; recount?: Parameter }; reply: Book };
  'GET /api/finance/books/{month}/book.csv': { path: { month: Parameter }; query?: { svc_id?: Parameter; network?: Parameter; recount?: Parameter }; reply: unknown };
  'POST /api/finance/books/{month}/close': { path: { month: Parameter }; body: CloseOrder; reply: undefined };
  'GET /api/finance/books/{month}/statement.html': { path: { month: Parameter }; query?: { svc_id?: Parameter; network?: Parameter; recount?: Parameter }; reply: unknown };
  'GET /api/finance/differences': { reply: ComparedDays };
  'POST /api/finance/differences/{day}': { path: { day: Parameter }; body: CompareOrder; reply: DayComparison };
  'PUT /api/finance/differences/{day}/assignment': { path: { day: Parameter }; body: AssignOrder; reply: undefined };
  'GET /api/finance/months': { reply: MonthList };
  'GET /api/finance/subscribers/{month}': { path: { month: Parameter }; query?: { svc_id?: Parameter; network?: Parameter; recount?: Parameter }; reply: SubscriberDays };
  'GET /api/finance/terms': { reply: Terms };
  'POST /api/finance/terms': { body: NewTerm; reply: undefined };
  'POST /api/finance/vat': { body: NewVatRate; reply: undefined };
  'POST /api/invitations': { body: NewInvitation; reply: Link };
  'GET /api/invitations/{token}': { path: { token: Parameter }; reply: Invitation };
  'POST /api/invitations/{token}': { path: { token: Parameter }; body: Acceptance; reply: SignedIn };
  'POST /api/invitations/{token}/provider': { path: { token: Parameter }; body: ProviderAcceptance; reply: ProviderAddress };
  'GET /api/overview': { reply: Overview };
  'GET /api/passkeys': { reply: OwnPasskeys };
  'POST /api/passkeys': { body: NewPasskey; reply: OwnPasskey };
  'POST /api/passkeys/challenge': { reply: RegistrationOptions };
  'DELETE /api/passkeys/{id}': { path: { id: Parameter }; reply: undefined };
  'GET /api/pictures': { query: { address: Parameter }; reply: unknown };
  'DELETE /api/private-drafts': { query: { form: Parameter; record?: Parameter; version: Parameter }; reply: undefined };
  'GET /api/private-drafts': { query: { form: Parameter; record?: Parameter }; reply: PrivateDraft };
  'PUT /api/private-drafts': { body: KeepOrder; reply: KeptDraft };
  'GET /api/publishers': { query?: { month?: Parameter; q?: Parameter; svc_id?: Parameter; held?: Parameter; sort?: Parameter; offset?: Parameter }; reply: PublisherPage };
  'GET /api/publishers/evidence.csv': { query: { ext_ref: Parameter; month: Parameter }; reply: unknown };
  'GET /api/publishers/evidence.json': { query: { ext_ref: Parameter; month: Parameter }; reply: number[] };
  'POST /api/publishers/hold': { body: HoldOrder; reply: undefined };
  'POST /api/publishers/release': { body: HoldOrder; reply: undefined };
  'POST /api/second-factor': { reply: SecondFactor };
  'DELETE /api/session': { reply: undefined };
  'GET /api/session': { reply: SignedIn };
  'POST /api/session': { body: Credentials; reply: SignedIn | SecondFactor };
  'GET /api/session/second-factor': { reply: SecondFactor };
  'POST /api/session/second-factor': { body: SecondFactorProof; reply: SignedIn };
  'GET /api/sessions': { query?: { staff?: Parameter }; reply: Sessions };
  'DELETE /api/sessions/{id}': { path: { id: Parameter }; reply: undefined };
  'GET /api/sign-in': { reply: SignInOptions };
  'GET /api/sign-in/callback': { query?: { code?: Parameter; state?: Parameter; iss?: Parameter; error?: Parameter }; reply: undefined };
  'DELETE /api/sign-in/link': { reply: undefined };
  'GET /api/sign-in/link': { reply: ProviderLink };
  'POST /api/sign-in/link': { reply: ProviderAddress };
  'POST /api/sign-in/provider': { reply: ProviderAddress };
  'GET /api/staff': { reply: StaffList };
  'PUT /api/staff/{id}': { path: { id: Parameter }; body: StaffChange; reply: StaffMember };
  'POST /api/staff/{id}/reset': { path: { id: Parameter }; reply: Link };
  'POST /api/staff/{id}/role': { path: { id: Parameter }; body: RoleDecision; reply: undefined };
  'GET /api/support/cases': { reply: Case[] };
  'POST /api/support/cases/{id}/close': { path: { id: Parameter }; body: Reason; reply: undefined };
  'POST /api/support/search': { body: Search; reply: NumberRecord };
  'GET /api/support/{record}': { path: { record: Parameter }; reply: NumberRecord };
  'PUT /api/support/{record}/block': { path: { record: Parameter }; body: BlockOrder; reply: undefined };
  'POST /api/support/{record}/dossier': { path: { record: Parameter }; body: ExportOrder; reply: unknown };
  'POST /api/support/{record}/end': { path: { record: Parameter }; body: EndOrder; reply: undefined };
  'GET /api/support/{record}/erasure': { path: { record: Parameter }; reply: ErasurePreview };
  'POST /api/support/{record}/erasure': { path: { record: Parameter }; body: Reason; reply: ErasureState };
  'POST /api/support/{record}/export': { path: { record: Parameter }; body: ExportOrder; reply: unknown };
  'POST /api/support/{record}/messages/{id}/retry': { path: { record: Parameter; id: Parameter }; body: Reason; reply: undefined };
  'POST /api/support/{record}/notes': { path: { record: Parameter }; body: NewNote; reply: undefined };
  'POST /api/support/{record}/refund': { path: { record: Parameter }; body: RefundOrder; reply: RefundReply };
  'POST /api/support/{record}/reveal': { path: { record: Parameter }; body: Reason; reply: Revealed };
  'GET /api/thumbnail': { query: { address: Parameter }; reply: unknown };
  'GET /api/uploads': { reply: UploadList };
  'OPTIONS /api/uploads': { reply: undefined };
  'POST /api/uploads': { reply: undefined };
  'DELETE /api/uploads/{id}': { path: { id: Parameter }; reply: undefined };
  'GET /api/uploads/{id}': { path: { id: Parameter }; reply: Upload };
  'HEAD /api/uploads/{id}': { path: { id: Parameter }; reply: undefined };
  'PATCH /api/uploads/{id}': { path: { id: Parameter }; body: Blob; reply: undefined };
  'POST /api/uploads/{id}/poster': { path: { id: Parameter }; body: PosterOrder; reply: Upload };
  'GET /api/uploads/{id}/stills/{still}': { path: { id: Parameter; still: Parameter }; reply: unknown };
};
