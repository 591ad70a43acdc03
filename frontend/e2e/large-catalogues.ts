/** The lists of more than a thousand items that the tests of large catalogues scroll and search. */
import { importRecords } from './catalogue';

export const COUNT = 1100;

const numbers = Array.from({ length: COUNT }, (_, place) => place + 1);
const image = 'https://images.spaza.example/demo/ttmbhatv/thumbs/ward-eleven.webp';
const datetime = '2026-03-05 18:30:00';
const film = { image, media: 'ttmbhatv/the-blue-gate.mp4', datetime, duration_s: 7, bytes: 78949 };
const titleOf = (number: number) =>
  number === 21 ? 'The Zebrafish Parade' : number === 1000 ? 'A Quagmire at Dawn' : `Long story ${number}`;

/** `state`: listed, or deleted when the tests are over. */
export async function importLargeCatalogues(state: 'listed' | 'deleted'): Promise<void> {
  const category = { slug: 'endless', place: 1, state };
  const child = (number: number) => ({ slug: `endless-${number}`, parent: 'endless', place: number, state });
  await importRecords('tt', 'ttmbhatv', {
    categories: [{ ...category, category_name: 'Endless' }],
    videos: numbers.map(number => ({
      ...child(number),
      ...film,
      name: titleOf(number),
      video_name: titleOf(number),
      artist: 'Studio',
      status: 'endless',
    })),
  });
  await importRecords('meme', 'memeworld', {
    categories: [{ ...category, name: 'Endless' }],
    memes: numbers.map(number => ({ ...child(number), title: titleOf(number), image, created_at: datetime })),
  });
  await importRecords('comedy', 'MC Funny', {
    artists: numbers.map(number => ({
      slug: number === 1 ? 'endless' : `endless-${number}`,
      place: number,
      state,
      artist: `Comic ${number}`,
      description: 'Tells long stories.',
      image,
    })),
    videos: numbers.map(number => ({
      ...child(number),
      ...film,
      media: 'mcfunny/around-the-corner.mp4',
      video_name: titleOf(number),
    })),
  });
}
