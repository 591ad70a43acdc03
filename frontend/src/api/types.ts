/** Requests and replies of the API. Written by `npm run types` from openapi.json. */

/** An artist as the API shows it. */
export type Artist = {
  /** The artist's name. */
  artist: string;
  /** `https` address of the portrait. */
  artist_img_url: HttpsAddress;
  /** A sentence or two about the artist. */
  description: string;
  /** The artist's id. */
  id: Id;
  /** The artist's name again: the specification reads it under both. */
  name: string;
};

/** A video as the API shows it. */
export type ArtistVideo = {
  /** The artist's name again: the specification reads it under both. */
  artist: string;
  /** The artist's id, for `common/{mid}`. */
  artist_id: Id;
  /** Size of the stream in bytes. */
  bytes: Count;
  /** Same-origin address of the captions, WebVTT, below `/media/`; only where there are any. A language may stand before the ending (`taxi.zu.vtt`); without one they are English. */
  captions?: MediaAddress;
  /** When it was published, UTC. */
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
  /** The same id: the specification reads it under both names. */
  videoid: Id;
  /** Same-origin address of the stream, below `/media/`. */
  vurl: MediaAddress;
};

/** An amount in cents (ZAR). */
export type Cents = number;

/** Whether the network has confirmed an attempt. */
export type CheckReply = {
  /** 1: confirmed, and active. 0: not. */
  result: number;
};

/** How many; never negative. */
export type Count = number;

/** An artist or a video; only videos have a `videoid`. */
export type FoundArtistOrVideo = Artist | ArtistVideo;

/** The `https` address of a picture; the gateway shows it through `/img/`. */
export type HttpsAddress = string;

/** An id: a positive 64-bit integer. */
export type Id = number;

/** The reply to a request to leave. */
export type LeaveAnswer = LeaveReply | RedirectReply;

/** The subscription has ended. */
export type LeaveReply = {
  /** Always "cancelled". */
  state: string;
};

/** The service to leave, and the number where there is no session. */
export type LeaveRequest = {
  /** Required without a session. */
  msisdn?: MobileNumber | null;
  svc_id: ServiceId;
};

/** A number with its middle hidden. */
export type MaskedNumber = string;

/** A session's own subscription; only `state` "active" means access. */
export type Me = {
  /** The telephone number of the helpline. */
  helpline: string;
  /** The session's number, masked. */
  msisdn: MaskedNumber;
  /** When the next charge is due, if any. */
  next_charge: Time | null;
  /** The price of a day that the subscriber agreed to. */
  price_cents: Cents;
  /** The service's name. */
  service: string;
  /** When it last became active, suspensions aside; before that, when the join was requested. */
  since: Time;
  /** Only "active" means access. */
  state: string;
  svc_id: ServiceId;
  /** Everything that was charged, less refunds. */
  total_cents: Cents;
};

/** The address of a stream on the same origin; its bytes go to active subscribers only. */
export type MediaAddress = string;

/** A meme as the API shows it. */
export type Meme = {
  /** When it was published, UTC. */
  created_at: Time;
  /** The meme's id. */
  id: Id;
  /** `https` address of the picture. */
  image: HttpsAddress;
  /** How many numbers like it. */
  likes: Count;
  /** Its title. */
  title: string;
};

/** A category as the API shows it. */
export type MemeCategory = {
  /** The category's id. */
  id: Id;
  /** Its name. */
  name: string;
};

/** One page of a category's memes, with the category's name. */
export type MemeDetail = {
  categoryName: string;
  memeData: Meme[];
};

/** The state after a like or unlike. */
export type MemeLikeState = {
  id: Id;
  liked: boolean;
  likes: Count;
};

/** A South African mobile number in any spelling people use. */
export type MobileNumber = string;

/** A session's own likes. */
export type MyMemes = {
  liked: Id[];
};

/** A session's own state in one service. */
export type MyTt = {
  liked: Id[];
  watchlist: Id[];
};

/** A segment of an address that is a name: no slashes, no control characters, not `.`, nothing that begins with `..`, and no separator hidden in a second encoding. */
export type Name = string;

/** What `catVideos` takes: a name, or digits that are an id. */
export type NameOrId = string;

/** A like as the specification sends it; the server's own clock counts, not `created` and `updated`. */
export type NewMemeLike = {
  ani?: OwnNumber | null;
  created?: string | null;
  id: Id;
  like?: string | null;
  updated?: string | null;
};

/** A like as the specification sends it; the server's own clock counts, not `created`. */
export type NewTtLike = {
  ani?: OwnNumber | null;
  created?: string | null;
  servicename?: string | null;
  status?: string | null;
  videoid: Id;
};

/** An addition as the specification sends it; the video's own name counts, not `name`. */
export type NewWatchlistItem = {
  ani?: OwnNumber | null;
  name?: string | null;
  service?: string | null;
  videoid: Id;
};

/** An unlike as the specification sends it. */
export type OldMemeLike = {
  ani?: OwnNumber | null;
  meme_id: Id;
};

/** An unlike as the specification sends it. */
export type OldTtLike = {
  ani?: OwnNumber | null;
  videoid: Id;
};

/** A removal as the specification sends it. */
export type OldWatchlistItem = {
  ani?: OwnNumber | null;
  videoid: Id;
};

/** The session's own number in any spelling; empty means the same. */
export type OwnNumber = string;

/** Why a call was refused (RFC 9457). */
export type Problem = {
  /** What happened, in a sentence for a person. */
  detail: string;
  /** The same sentence. */
  error_message: string;
  /** Names the request in our logs. */
  request_id: string;
  /** The reply's status. */
  status: number;
  /** The status in words. */
  title: string;
  /** Names the kind of problem. */
  type: string;
};

/** Where to redirect. */
export type RedirectReply = {
  /** The network's own page. */
  redirectUrl: string;
};

/** The id of a brand's service with the networks. */
export type ServiceId = number;

/** What a join form gets. */
export type SubscribeReply = {
  /** The network's opt-in page; with result 1. */
  redirectUrl?: string;
  /** 1: go to `redirectUrl`. 2: the number is active already. */
  result: number;
  /** The secret id of this attempt; with result 1. */
  subscriptionId?: string;
};

/** What a join form sends. */
export type SubscribeRequest = {
  /** Only `WAP` is accepted. */
  channel: string;
  /** The advertisement that brought the visitor. */
  ext_ref?: string | null;
  msisdn: MobileNumber;
  svc_id: ServiceId;
};

/** The session is open. */
export type TestSessionReply = {
  /** Always 1. */
  result: number;
};

/** The test number, and the service of the host it is used on. */
export type TestSessionRequest = {
  msisdn: MobileNumber;
  svc_id: ServiceId;
};

/** A time, UTC. */
export type Time = string;

/** A banner as the API shows it. */
export type TtBanner = {
  /** The banner's id. */
  id: Id;
  /** `https` address of the picture. */
  imgurl: HttpsAddress;
  /** What it announces. */
  title: string;
  /** The video it leads to, if any. */
  videoid: Id | null;
};

/** A video as a card in a row shows it. */
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
  /** The video's full title. */
  video_name: string;
};

/** A category as the API shows it. */
export type TtCategory = {
  /** Its name. */
  category_name: string;
  /** The category's id. */
  id: Id;
};

/** A category's page. */
export type TtCategoryDetail = {
  categoryName: string;
  videos: TtVideo[];
};

/** A row of the home page. */
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

/** A video as the API shows it. */
export type TtVideo = {
  /** Who made it or appears in it. */
  artist: string;
  /** Size of the stream in bytes. */
  bytes: Count;
  /** Same-origin address of the captions, WebVTT, below `/media/`; only where there are any. A language may stand before the ending (`taxi.zu.vtt`); without one they are English. */
  captions?: MediaAddress;
  /** The category's name. */
  category: string;
  /** The category's id. */
  category_id: Id;
  /** When it was published, UTC. */
  datetime: Time;
  /** Length in seconds. */
  duration_s: Count;
  /** The video's id. */
  id: Id;
  /** `https` address of the thumbnail. */
  imgurl: HttpsAddress;
  /** The video's short name, for cards. */
  name: string;
  /** The word that related videos share. */
  status: string;
  /** The video's full title. */
  video_name: string;
  /** The same id: the specification reads it under both names. */
  videoid: Id;
  /** Same-origin address of the stream, below `/media/`. */
  vurl: MediaAddress;
};

/** The number to verify. */
export type VerifyRequest = {
  msisdn: MobileNumber;
  svc_id: ServiceId;
};

/** One figure of one page view. */
export type Vital = {
  name: VitalName;
  /** The page's name, as the page itself was told it. */
  page: string;
  rating: VitalRating;
  /** The figure itself. */
  value: number;
};

/** What is measured. */
export type VitalName = 'LCP' | 'CLS' | 'INP';

/** How good a figure is, by the library's thresholds. */
export type VitalRating = 'good' | 'needs-improvement' | 'poor';

/** An item as the API shows it. */
export type WatchlistItem = {
  /** The video's id. */
  id: Id;
  /** The video's short name. */
  name: string;
  /** The video's id again: the specification reads it under both names. */
  videoid: Id;
};

/** The state after an addition or removal. */
export type WatchlistState = {
  videoid: Id;
  watchlisted: boolean;
};
