/** Replies of the API, with the field names it sends. */

export type Artist = {
  id: number;
  artist: string;
  name: string;
  artist_img_url: string;
  description: string;
};

export type ArtistVideo = {
  id: number;
  videoid: number;
  video_name: string;
  /** The artist's name. */
  name: string;
  artist: string;
  artist_id?: number;
  vurl: string;
  imgurl: string;
  datetime: string;
  duration_s?: number;
  bytes?: number;
};

export type MemeCategory = { id: number; name: string };
export type Meme = { id: number; title: string; image: string; created_at: string; likes?: number };
export type MemeDetail = { memeData: Meme[]; categoryName: string };
export type MemeLikeState = { id: number; liked: boolean; likes: number };
export type MyMemes = { liked: number[] };

export type TtCategory = { id: number; category_name: string };
export type TtCard = {
  id: number;
  imgurl: string;
  name: string;
  video_name?: string;
  duration_s?: number;
  bytes?: number;
};
export type TtCategoryVideos = { category: TtCategory; videos: TtCard[] };
export type TtVideo = TtCard & {
  videoid: number;
  vurl: string;
  category: string;
  category_id?: number;
  artist: string;
  status: string;
  datetime?: string;
};
export type TtCategoryDetail = { categoryName: string; videos: TtVideo[] };
export type TtBanner = { id: number; title: string; imgurl: string; videoid: number | null };
export type WatchlistItem = { id: number; name: string; videoid: number };
export type MyTt = { liked: number[]; watchlist: number[] };

export type SubscribeReply = {
  result: number;
  redirectUrl?: string;
  subscriptionId?: string;
  error_message?: string;
  msg?: string;
};
export type CheckReply = { result: number };
export type RedirectReply = { redirectUrl: string };
