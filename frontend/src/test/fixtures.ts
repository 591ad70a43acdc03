/** Replies as the API sends them. */
import type { Artist, ArtistVideo, Meme, TtVideo } from '../api/types';

const image = (name: string) => `https://images.spaza.example/demo/${name}.webp`;

export const artists: Artist[] = ['Sipho Dlamini', 'Lerato Mokoena'].map((name, place) => ({
  id: place + 1,
  artist: name,
  name,
  artist_img_url: image(`artist-${place + 1}`),
  description: `About ${name}`,
}));

export const video = (id: number, artistId = 1): ArtistVideo => ({
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

export const meme = (id: number, changes: Partial<Meme> = {}): Meme => ({
  id,
  title: `Meme ${id}`,
  image: image(`meme-${id}`),
  created_at: '2024-03-05 08:00:00',
  likes: 4,
  ...changes,
});

export const ttVideo = (id: number): TtVideo => ({
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

export const session = {
  msisdn: '27••••••678',
  service: 'MC Funny',
  svc_id: 148,
  state: 'active',
  price_cents: 300,
  since: '2026-11-01 08:12:00',
  total_cents: 6300,
  next_charge: '2026-11-22',
  helpline: '080 000 0148',
};
