/** Replies of the services, with the tests' names and ids. */
import type {
  Artist,
  ArtistVideo,
  Me,
  Meme,
  MemeCategory,
  MemeDetail,
  TtBanner,
  TtCategory,
  TtCategoryVideos,
  TtVideo,
  WatchlistItem,
} from '../shared/contract/sites';
import { firstOf, like, snapshot } from './snapshots';

const image = (name: string) => `https://images.spaza.example/demo/${name}.webp`;

const ARTIST = firstOf(
  snapshot<Artist[]>('catalogue', 'artists__fetch_artist_accepts_every_name_of_the_service__artists'),
);
export const artists: Artist[] = ['Sipho Dlamini', 'Lerato Mokoena'].map((name, place) =>
  like(ARTIST, {
    id: place + 1,
    artist: name,
    name,
    artist_img_url: image(`artist-${place + 1}`),
    description: `About ${name}`,
  }),
);

const VIDEO = firstOf(
  snapshot<ArtistVideo[]>('catalogue', 'videos__fetch_videos_and_common_list_an_artists_videos__videos'),
);
export const video = (id: number, artistId = 1): ArtistVideo =>
  like(VIDEO, {
    id,
    videoid: id,
    video_name: `Clip ${id}`,
    name: artists[artistId - 1]?.name ?? '',
    artist: artists[artistId - 1]?.name ?? '',
    artist_id: artistId,
    vurl: `/media/mcfunny/clip-${id}.mp4`,
    imgurl: image(`clip-${id}`),
    datetime: '2024-03-05 10:00:00',
    duration_s: 8,
    bytes: 100_000,
  });

const CAPTIONED = firstOf(
  snapshot<ArtistVideo[]>('catalogue', 'videos__fetchsingle_has_captions_only_if_there_are_any__captioned'),
);
/** The same with captions, in isiZulu. */
export const captionedVideo = (id: number): ArtistVideo =>
  like(CAPTIONED, { ...video(id), captions: `/media/mcfunny/clip-${id}.zu.vtt` });

const MEME_DETAIL = snapshot<MemeDetail>(
  'meme',
  'categories__get_meme_value_returns_the_categorys_memes__category',
);
const MEME = firstOf(MEME_DETAIL.memeData);
export const meme = (id: number, changes: Partial<Meme> = {}): Meme =>
  like(MEME, {
    id,
    title: `Meme ${id}`,
    image: image(`meme-${id}`),
    created_at: '2024-03-05 08:00:00',
    likes: 4,
    category_id: 7,
    ...changes,
  });

const MEME_CATEGORY = firstOf(
  snapshot<MemeCategory[]>('meme', 'categories__get_meme_categories_lists_categories__categories'),
);
export const memeCategory: MemeCategory = like(MEME_CATEGORY, { id: 7, name: 'Kasi life' });
export const memeDetail = (memeData: Meme[], categoryName = memeCategory.name): MemeDetail =>
  like(MEME_DETAIL, { memeData, categoryName });

const TT_VIDEO = snapshot<TtVideo>('tt', 'catalogue__ttsinglevideo_returns_one_object__video');
export const ttVideo = (id: number): TtVideo =>
  like(TT_VIDEO, {
    id,
    videoid: id,
    name: `Show ${id}`,
    video_name: `Show ${id}, the whole story`,
    vurl: `/media/ttmbhatv/show-${id}.mp4`,
    category: 'Drama',
    category_id: 1,
    artist: 'Studio One',
    status: 'drama',
    imgurl: image(`show-${id}`),
    datetime: '2024-03-05 10:00:00',
    duration_s: 8,
    bytes: 100_000,
  });

const TT_CAPTIONED = snapshot<TtVideo>(
  'tt',
  'catalogue__ttsinglevideo_has_captions_only_if_there_are_any__captioned',
);
/** The same with captions, without a language in the file name. */
export const captionedTtVideo = (id: number): TtVideo =>
  like(TT_CAPTIONED, { ...ttVideo(id), captions: `/media/ttmbhatv/show-${id}.vtt` });

const TT_CATEGORY = firstOf(
  snapshot<TtCategory[]>('tt', 'catalogue__home_page_has_rows_of_videos_and_banners__categories'),
);
export const drama: TtCategory = like(TT_CATEGORY, { id: 1, category_name: 'Drama' });

const TT_ROW = firstOf(
  snapshot<TtCategoryVideos[]>('tt', 'catalogue__home_page_has_rows_of_videos_and_banners__rows'),
);
/** A row of the home page. Its cards have fewer fields than a single video. */
export const ttRow = (...ids: number[]): TtCategoryVideos =>
  like(TT_ROW, {
    category: drama,
    videos: ids.map(id => {
      const { name, video_name, imgurl, duration_s, bytes } = ttVideo(id);
      return like(firstOf(TT_ROW.videos), { id, name, video_name, imgurl, duration_s, bytes });
    }),
  });

const WATCHLIST_ITEM = firstOf(
  snapshot<WatchlistItem[]>('tt', 'personal__watchlist_shows_each_video_as_the_video_itself__watchlist'),
);
export const watchlistItem = (id: number): WatchlistItem =>
  like(WATCHLIST_ITEM, {
    id,
    videoid: id,
    name: `Kept ${id}`,
    artist: `Studio ${id}`,
    imgurl: image(`kept-${id}`),
    duration_s: 61,
    bytes: 100_000,
  });

const TT_BANNER = firstOf(
  snapshot<TtBanner[]>('tt', 'catalogue__home_page_has_rows_of_videos_and_banners__banners'),
);
export const ttBanner = (id: number, videoid: number | null): TtBanner =>
  like(TT_BANNER, { id, title: `Banner ${id}`, imgurl: 'https://x.example/b.webp', videoid });

const ME = snapshot<Me>('subscription', 'me__me_returns_state_price_and_total__me');
export const session: Me = like(ME, {
  msisdn: '27••••••678',
  service: 'MC Funny',
  svc_id: 148,
  state: 'active',
  price_cents: 300,
  period: 'day',
  since: '2026-11-01 08:12:00',
  total_cents: 6300,
  next_charge: '2026-11-22',
  stop_number: '31222',
  ussd: '*120*31222#',
  limit_reached: false,
  helpline: '080 000 0148',
  free_until: null,
  parts: [],
});
