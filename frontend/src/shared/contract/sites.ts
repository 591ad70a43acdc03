/** Requests and replies of the API. Written by `npm run types` from openapi.json. */

/** An artist. */
export type Artist = {
  /** The artist's name. */
  artist: string;
  /** `https` address of the portrait. */
  artist_img_url: HttpsAddress;
  /** A short description of the artist. */
  description: string;
  /** The language of `description` where it is a translation; absent: English. */
  description_lang?: LanguageCode;
  /** The artist's id. */
  id: Id;
  /** The artist's name again: the specification has both fields. */
  name: string;
};

/** A video. */
export type ArtistVideo = {
  /** The artist's name again: the specification has both fields. */
  artist: string;
  /** The artist's id, for `common/{mid}`. */
  artist_id: Id;
  /** Size of the stream in bytes. */
  bytes: Count;
  /** Same-origin address of the captions (WebVTT) below `/media/`; absent without captions. The language code precedes the extension (`taxi.zu.vtt`); English without one. */
  captions?: MediaAddress;
  /** The time of publication, UTC. */
  datetime: Time;
  /** Length in seconds. */
  duration_s: Count;
  /** The video's id. */
  id: Id;
  /** `https` address of the thumbnail. */
  imgurl: HttpsAddress;
  /** The artist's name. */
  name: string;
  /** The video's title. */
  video_name: string;
  /** The language of `video_name` where it is a translation; absent: English. */
  video_name_lang?: LanguageCode;
  /** The same id: the specification has both fields. */
  videoid: Id;
  /** Same-origin address of the stream, below `/media/`. */
  vurl: MediaAddress;
};

/** What the record says of an attempt. */
export type AttemptState = 'active' | 'waiting' | 'declined' | 'ended' | 'unknown';

/** An amount in cents (ZAR). */
export type Cents = number;

/** A challenge for one join. */
export type ChallengeReply = {
  challenge: string;
};

/** For which service. */
export type ChallengeRequest = {
  /** The prices that the page shows, as `shown` of the join. */
  shown?: string | null;
  svc_id: ServiceId;
};

/** What became of an attempt. */
export type CheckReply = {
  /** What the record says, for the visitor. Absent where an open session contradicts it. */
  message?: string;
  /** The page that the visitor wanted before; with result 1. */
  page?: string;
  /** 1: confirmed and active. 0: not. */
  result: number;
  /** Whether this browser has an open session of the service, by this attempt or another. */
  session: boolean;
  state: AttemptState;
};

/** The outcome of a complaint. */
export type Complaint = {
  /** The number to name to support; null where there is no case. */
  case: number | null;
  /** The amount of the charge. */
  cents: Cents;
  /** The day of the charge (YYYY-MM-DD). */
  day: string | null;
  /** "refunded": the charge is given back; "case": support decides; "none": there is no such charge. */
  outcome: string;
};

/** The charge that the subscriber did not want. */
export type ComplaintRequest = {
  /** The day of the charge, YYYY-MM-DD; without it the last charge. A repeated complaint about a day gets the first one's outcome. */
  day?: string | null;
};

/** A count; never negative. */
export type Count = number;

/** An artist or a video; only videos have a `videoid`. */
export type FoundArtistOrVideo = Artist | ArtistVideo;

/** The `https` address of a picture; the gateway shows it through `/img/`. */
export type HttpsAddress = string;

/** An id: a positive 64-bit integer. */
export type Id = number;

/** What the page sends with a join; empty where it sends nothing. */
export type JoinCheck = {
  /** The signed challenge of the page, or of a reply that held the join. */
  challenge?: string;
  /** The code of a challenge that has one, as the visitor typed it. */
  code?: string;
  /** A field that no person sees: programs that fill in forms fill it, too. */
  homepage?: string;
};

/** The code of a language of the sites. */
export type LanguageCode = string;

/** The language of later SMSes. */
export type LanguageReply = {
  /** Its code. */
  language: string;
};

/** A language that the subscriber chose on the pages. */
export type LanguageRequest = {
  /** Its code, as in the `lang` attribute of the pages. */
  language: string;
};

/** The reply to a request to leave. */
export type LeaveAnswer = LeaveReply | RedirectReply;

/** The subscription has ended. */
export type LeaveReply = {
  /** Always "cancelled". */
  state: SubscriptionState;
};

/** The service to leave, and the number if there is no session. */
export type LeaveRequest = {
  /** Required if there is no session. */
  msisdn?: MobileNumber | null;
  svc_id: ServiceId;
};

/** A masked number, or a masked token after the name of its network. */
export type MaskedNumber = string;

/** The subscription of a session; only `state` "active" gives access. */
export type Me = {
  /** The day of the first charge (YYYY-MM-DD), while the days before it are free. */
  free_until: string | null;
  /** The telephone number of the helpline. */
  helpline: string;
  /** Whether nothing more is charged in this calendar month, because the number's monthly limit over all services is reached. */
  limit_reached: boolean;
  /** The session's number, masked. */
  msisdn: MaskedNumber;
  /** The day of the next charge, if any. */
  next_charge: Time | null;
  /** What is still owed of refunds that the network has not made, or only in part. */
  owed_cents: Cents;
  /** The price and the smaller amounts that are charged for a day where the airtime does not suffice; empty: the price alone. */
  parts: Cents[];
  /** How often the price is charged. */
  period: Period;
  /** The price for each period that the subscriber agreed to. */
  price_cents: Cents;
  /** The service's name. */
  service: string;
  /** When the subscription last became active, not counting suspensions; before that, when the join was requested. */
  since: Time;
  /** Only "active" gives access. */
  state: SubscriptionState;
  /** The number that a STOP goes to at the subscription's network. */
  stop_number: string | null;
  svc_id: ServiceId;
  /** The total charged, less refunds. */
  total_cents: Cents;
  /** The USSD code of that network by which subscriptions end. */
  ussd: string | null;
};

/** A web vital, or how a film played. */
export type Measurement = Vital | PlayReport;

/** The same-origin address of a stream; only active subscribers have access. */
export type MediaAddress = string;

/** A meme. */
export type Meme = {
  /** The category's id. */
  category_id: Id;
  /** The time of publication, UTC. */
  created_at: Time;
  /** The meme's id. */
  id: Id;
  /** `https` address of the picture. */
  image: HttpsAddress;
  /** The number of likes. */
  likes: Count;
  /** Its title. */
  title: string;
  /** The language of `title` where it is a translation; absent: English. */
  title_lang?: LanguageCode;
};

/** A category. */
export type MemeCategory = {
  /** The category's id. */
  id: Id;
  /** Its name. */
  name: string;
  /** The language of `name` where it is a translation; absent: English. */
  name_lang?: LanguageCode;
};

/** A page of a category's memes, with the category's name. */
export type MemeDetail = {
  categoryName: string;
  /** The language of `categoryName` where it is a translation; absent: English. */
  categoryName_lang?: LanguageCode;
  memeData: Meme[];
};

/** The state after a like or unlike. */
export type MemeLikeState = {
  id: Id;
  liked: boolean;
  likes: Count;
};

/** A South African mobile number in any common format. */
export type MobileNumber = string;

/** The likes of a session. */
export type MyMemes = {
  liked: Id[];
};

/** The likes and watchlist of a session in one service. */
export type MyTt = {
  liked: Id[];
  watchlist: Id[];
};

/** A name as one path segment: no slashes, control characters or doubly encoded separators; not `.`, and nothing that begins with `..`. */
export type Name = string;

/** The parameter of `catVideos`: a name, or an id in digits. */
export type NameOrId = string;

/** A like with the fields of the specification; the server uses its own time and ignores `created` and `updated`. */
export type NewMemeLike = {
  ani?: OwnNumber | null;
  created?: string | null;
  id: Id;
  like?: string | null;
  updated?: string | null;
};

/** A like with the fields of the specification; the server uses its own time and ignores `created`. */
export type NewTtLike = {
  ani?: OwnNumber | null;
  created?: string | null;
  servicename?: string | null;
  status?: string | null;
  videoid: Id;
};

/** An addition with the fields of the specification; the server uses the video's name and ignores `name`. */
export type NewWatchlistItem = {
  ani?: OwnNumber | null;
  name?: string | null;
  service?: string | null;
  videoid: Id;
};

/** One of the networks that a visitor chooses from, with its price. */
export type OfferedNetwork = {
  /** The days that are free for a number that never had the service. */
  free_days?: number;
  /** The network's name for people. */
  name: string;
  /** The network's key, for `network` of the next request. */
  network: string;
  /** The price and the smaller amounts that are charged where the airtime does not suffice for it. */
  parts?: Cents[];
  /** How often the price is charged. */
  period: Period;
  /** The price for each period, with VAT. */
  price_cents: Cents;
};

/** An unlike with the fields of the specification. */
export type OldMemeLike = {
  ani?: OwnNumber | null;
  meme_id: Id;
};

/** An unlike with the fields of the specification. */
export type OldTtLike = {
  ani?: OwnNumber | null;
  videoid: Id;
};

/** A removal with the fields of the specification. */
export type OldWatchlistItem = {
  ani?: OwnNumber | null;
  videoid: Id;
};

/** The session's number in any format; empty means the session's number, too. */
export type OwnNumber = string;

/** How often a price is charged. */
export type Period = 'day' | 'week' | 'month';

/** One playback of a film, once it ends. */
export type PlayReport = {
  /** Buffer starvation, absolute: the number of stalls. */
  bsa: number;
  /** Buffer starvation duration, absolute: the milliseconds of all stalls. */
  bsda: number;
  /** The code of the error that ended it; absent if there was none. */
  ec?: string | null;
  /** Media start delay: milliseconds until the first frame; absent if there was none. */
  msd?: number | null;
  /** Milliseconds that were played. */
  'spaza-played': number;
  /** The rendition that was shown last; `file` of a film that is no stream, `saved` of one on the phone, `sound` without a picture, `none` before the first frame. */
  'spaza-rendition': string;
  /** The version of CMCD. */
  v: number;
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

/** What a subscriber agreed to. */
export type ReceiptConsent = {
  at: Time;
  /** Their language (ISO 639-1); empty where it was not kept. */
  language: string;
  period: Period;
  price_cents: Cents;
  /** Who showed them: "page" (ours), "network" or "sms"; empty where it was not kept. */
  shown_by: string;
  /** The words as they were shown; empty where the network showed its own and did not say which. */
  words: string;
};

/** A charge, or what was given back. */
export type ReceiptEntry = {
  cents: Cents;
  /** The outcome of a complaint about the charge; null where there was none. */
  complaint: Complaint | null;
  /** The consent that allows a charge; null for a refund, and where none is kept. */
  consent: ReceiptConsent | null;
  /** The day in Johannesburg, YYYY-MM-DD. */
  day: string;
  id: Id;
  /** "charge" or "refund". */
  kind: string;
  /** The network's name, as people know it. */
  network: string;
  /** The charge that a refund gives back; null for a charge. */
  refund_of: number | null;
  /** "settled"; of a refund also "pending", until the network has made it. */
  status: string;
};

/** The address to redirect to. */
export type RedirectReply = {
  /** The network's own page. */
  redirectUrl: string;
};

/** The key of this browser and subscription. */
export type SavingKey = {
  /** 256 bits for AES-GCM, in base64. */
  key: string;
  /** Seconds for which the browser may use it without another reply. */
  valid_seconds: number;
};

/** The id of a brand's service with the networks. */
export type ServiceId = number;

/** The reply to a join. */
export type SubscribeReply = {
  /** The challenge for the next press of JOIN; with result 3, and with result 4 unless all joins of the advertisement are held. */
  challenge?: string;
  /** The code that the visitor types for it; with result 4. */
  code?: string;
  /** Why it is held, or that the price has changed, for the visitor. */
  error_message?: string;
  /** The networks to choose from, with their prices; with result 3, of services that are sold on several networks, and where the price is no longer the page's. With result 4 the one that was chosen. */
  networks?: OfferedNetwork[];
  /** The network's opt-in page; with result 1. */
  redirectUrl?: string;
  /** 1: redirect to `redirectUrl`. 2: the number is already active. 3: the visitor has to choose one of `networks`. 4: the join is held. */
  result: number;
  /** The secret id of the attempt; with result 1. */
  subscriptionId?: string;
};

/** A join request. */
export type SubscribeRequest = JoinCheck & {
  /** A token of the network's own protection against fraud, as the page's address had it; passed on to the network unchanged. */
  anti_fraud_token?: string | null;
  /** Only `WAP` is accepted. */
  channel: string;
  /** The advertisement that brought the visitor. */
  ext_ref?: string | null;
  /** May be empty where the visitor's network adds a token to the request. */
  msisdn: MobileNumber;
  /** The key of the network that the visitor chose, of the `networks` of an earlier reply. */
  network?: string | null;
  /** The page of the brand that the visitor wanted: a path. */
  page?: string | null;
  /** The prices that the page shows, its price line's first, as `CENTS.PERIOD.FREE_DAYS.PARTS`, separated by `~`. */
  shown?: string | null;
  svc_id: ServiceId;
};

/** The state of a subscription; only "active" gives access. */
export type SubscriptionState = 'pending' | 'active' | 'suspended' | 'cancelled';

/** The session is open. */
export type TestSessionReply = {
  /** Always 1. */
  result: number;
};

/** The test number, and the host's service. */
export type TestSessionRequest = {
  msisdn: MobileNumber;
  svc_id: ServiceId;
};

/** A time, UTC. */
export type Time = string;

/** A banner. */
export type TtBanner = {
  /** The banner's id. */
  id: Id;
  /** `https` address of the picture. */
  imgurl: HttpsAddress;
  /** The banner's title. */
  title: string;
  /** The language of `title` where it is a translation; absent: English. */
  title_lang?: LanguageCode;
  /** The linked video, if any. */
  videoid: Id | null;
};

/** A video on a card of a row. */
export type TtCard = {
  /** Size of the stream in bytes. */
  bytes: Count;
  /** Length in seconds. */
  duration_s: Count;
  /** The video's id. */
  id: Id;
  /** `https` address of the thumbnail. */
  imgurl: HttpsAddress;
  /** The video's short name. */
  name: string;
  /** The language of `name` where it is a translation; absent: English. */
  name_lang?: LanguageCode;
  /** The video's full title. */
  video_name: string;
  /** The language of `video_name` where it is a translation; absent: English. */
  video_name_lang?: LanguageCode;
};

/** A category. */
export type TtCategory = {
  /** Its name. */
  category_name: string;
  /** The language of `category_name` where it is a translation; absent: English. */
  category_name_lang?: LanguageCode;
  /** The category's id. */
  id: Id;
};

/** A category with its videos. */
export type TtCategoryDetail = {
  categoryName: string;
  /** The language of `categoryName` where it is a translation; absent: English. */
  categoryName_lang?: LanguageCode;
  videos: TtVideo[];
};

/** A row of the home page: a category with its first videos. */
export type TtCategoryVideos = {
  /** The category. */
  category: TtCategory;
  /** Its first videos. */
  videos: TtCard[];
};

/** The state after a like or unlike. */
export type TtLikeState = {
  liked: boolean;
  videoid: Id;
};

/** A video. */
export type TtVideo = {
  /** The artist: who made the video or appears in it. */
  artist: string;
  /** Size of the stream in bytes. */
  bytes: Count;
  /** Same-origin address of the captions (WebVTT) below `/media/`; absent without captions. The language code precedes the extension (`taxi.zu.vtt`); English without one. */
  captions?: MediaAddress;
  /** The category's name. */
  category: string;
  /** The category's id. */
  category_id: Id;
  /** The language of `category` where it is a translation; absent: English. */
  category_lang?: LanguageCode;
  /** The time of publication, UTC. */
  datetime: Time;
  /** Length in seconds. */
  duration_s: Count;
  /** The video's id. */
  id: Id;
  /** `https` address of the thumbnail. */
  imgurl: HttpsAddress;
  /** The video's short name, for cards. */
  name: string;
  /** The language of `name` where it is a translation; absent: English. */
  name_lang?: LanguageCode;
  /** The status that related videos share. */
  status: string;
  /** The video's full title. */
  video_name: string;
  /** The language of `video_name` where it is a translation; absent: English. */
  video_name_lang?: LanguageCode;
  /** The same id: the specification has both fields. */
  videoid: Id;
  /** Same-origin address of the stream, below `/media/`. */
  vurl: MediaAddress;
};

/** The number to verify. */
export type VerifyRequest = {
  /** May be empty where the visitor's network adds a token to the request. */
  msisdn: MobileNumber;
  /** The page of the brand that the visitor wanted: a path. */
  page?: string | null;
  svc_id: ServiceId;
};

/** One web vital of one page view. */
export type Vital = {
  name: VitalName;
  /** The page's name, from the page's boot data. */
  page: string;
  rating: VitalRating;
  /** The measured value. */
  value: number;
};

/** The metric. */
export type VitalName = 'LCP' | 'CLS' | 'INP';

/** The rating of the value, by the thresholds of the web-vitals library. */
export type VitalRating = 'good' | 'needs-improvement' | 'poor';

/** A watchlist item: the specification's fields, and what a card of the watchlist page shows. */
export type WatchlistItem = {
  /** The artist: who made the video or appears in it. */
  artist: string;
  /** Size of the stream in bytes. */
  bytes: Count;
  /** Length in seconds. */
  duration_s: Count;
  /** The video's id. */
  id: Id;
  /** `https` address of the thumbnail. */
  imgurl: HttpsAddress;
  /** The video's short name. */
  name: string;
  /** The language of `name` where it is a translation; absent: English. */
  name_lang?: LanguageCode;
  /** The video's id again: the specification has both fields. */
  videoid: Id;
};

/** The state after an addition or removal. */
export type WatchlistState = {
  videoid: Id;
  watchlisted: boolean;
};

/** A parameter of an address; an empty text is left out. */
type Parameter = string | number | boolean;

/** What each call takes and answers. */
export type Calls = {
  'GET /api/diski/common/{mid}': { path: { mid: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: ArtistVideo[] };
  'GET /api/diski/fetchArtist': { query: { service: Parameter; limit?: Parameter; after?: Parameter }; reply: Artist[] };
  'GET /api/diski/fetchVideos/{artist_id}': { path: { artist_id: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: ArtistVideo[] };
  'GET /api/diski/fetchsingle/{id}': { path: { id: Parameter }; reply: ArtistVideo[] };
  'GET /api/diski/search/{service}': { path: { service: Parameter }; query?: { q?: Parameter; order?: Parameter; limit?: Parameter; after?: Parameter }; reply: FoundArtistOrVideo[] };
  'GET /api/docs': { reply: unknown };
  'GET /api/madfunny/common/{mid}': { path: { mid: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: ArtistVideo[] };
  'GET /api/madfunny/fetchArtist': { query: { service: Parameter; limit?: Parameter; after?: Parameter }; reply: Artist[] };
  'GET /api/madfunny/fetchVideos/{artist_id}': { path: { artist_id: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: ArtistVideo[] };
  'GET /api/madfunny/fetchsingle/{id}': { path: { id: Parameter }; reply: ArtistVideo[] };
  'GET /api/madfunny/search/{service}': { path: { service: Parameter }; query?: { q?: Parameter; order?: Parameter; limit?: Parameter; after?: Parameter }; reply: FoundArtistOrVideo[] };
  'GET /api/meme/getMemeCategories': { query?: { limit?: Parameter; after?: Parameter }; reply: MemeCategory[] };
  'GET /api/meme/getMemeValue/{id}': { path: { id: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: MemeDetail };
  'GET /api/meme/liked': { query?: { limit?: Parameter; after?: Parameter }; reply: Meme[] };
  'GET /api/meme/mine': { reply: MyMemes };
  'POST /api/meme/postlike': { body: NewMemeLike; reply: MemeLikeState };
  'GET /api/meme/random': { query?: { limit?: Parameter }; reply: Meme[] };
  'GET /api/meme/search/{service}': { path: { service: Parameter }; query?: { q?: Parameter; order?: Parameter; limit?: Parameter; after?: Parameter }; reply: Meme[] };
  'DELETE /api/meme/unlike': { body: OldMemeLike; reply: MemeLikeState };
  'GET /api/openapi.json': { reply: Record<string, unknown> };
  'POST /api/session/test': { body: TestSessionRequest; reply: TestSessionReply };
  'POST /api/subscribe': { body: SubscribeRequest; reply: SubscribeReply };
  'POST /api/subscribe/challenge': { body: ChallengeRequest; reply: ChallengeReply };
  'GET /api/subscribe/check-sub': { query: { msisdn?: Parameter; subscription_id: Parameter }; reply: CheckReply };
  'POST /api/subscribe/complaint': { body: ComplaintRequest; reply: Complaint };
  'POST /api/subscribe/language': { body: LanguageRequest; reply: LanguageReply };
  'GET /api/subscribe/me': { query?: { watching?: Parameter }; reply: Me };
  'POST /api/subscribe/notify/{network}': { path: { network: Parameter }; body: Record<string, unknown>; reply: undefined };
  'GET /api/subscribe/opt-in': { query: { svc_id: Parameter; page?: Parameter; shown?: Parameter }; reply: undefined };
  'GET /api/subscribe/receipt': { query?: { limit?: Parameter; after?: Parameter }; reply: ReceiptEntry[] };
  'POST /api/subscribe/saving-key': { reply: SavingKey };
  'POST /api/subscribe/unsubscribe': { body: LeaveRequest; reply: LeaveAnswer };
  'POST /api/subscribe/verify': { body: VerifyRequest; reply: RedirectReply };
  'GET /api/subscribe/verify-number': { query?: { network?: Parameter; ext_ref?: Parameter; challenge?: Parameter; page?: Parameter }; reply: undefined };
  'GET /api/subscribe/verify-number/return': { query?: { state?: Parameter; code?: Parameter; error?: Parameter }; reply: undefined };
  'GET /api/tt/banners/{service}': { path: { service: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: TtBanner[] };
  'GET /api/tt/catVideos/{cat}': { path: { cat: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: TtCategoryDetail };
  'GET /api/tt/getCategory/{service}': { path: { service: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: TtCategory[] };
  'GET /api/tt/getTTWatchlist/{service}': { path: { service: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: WatchlistItem[] };
  'GET /api/tt/getcatvideos/{service}': { path: { service: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: TtCategoryVideos[] };
  'POST /api/tt/likevideo': { body: NewTtLike; reply: TtLikeState };
  'GET /api/tt/mine/{service}': { path: { service: Parameter }; reply: MyTt };
  'GET /api/tt/search/{service}': { path: { service: Parameter }; query?: { q?: Parameter; order?: Parameter; limit?: Parameter; after?: Parameter }; reply: TtVideo[] };
  'POST /api/tt/ttaddwatchlist': { body: NewWatchlistItem; reply: WatchlistState };
  'GET /api/tt/ttrelated/{status}': { path: { status: Parameter }; query?: { limit?: Parameter; after?: Parameter }; reply: TtVideo[] };
  'DELETE /api/tt/ttremove': { body: OldWatchlistItem; reply: WatchlistState };
  'GET /api/tt/ttsinglevideo/{id}': { path: { id: Parameter }; reply: TtVideo };
  'DELETE /api/tt/unlikevideo': { body: OldTtLike; reply: TtLikeState };
  'POST /api/vitals': { body: Measurement; reply: undefined };
};
