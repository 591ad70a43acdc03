/** The meme that is open over the page: the address says which, so that Back closes it and a link opens it. */
import { useLocation } from 'react-router';
import type { Meme } from '../../../shared/contract/sites';

type State = {
  /** The history entry of the list below: EndlessList keeps its place. */
  under?: string;
  /** Where the list is another one when the page is loaded again. */
  meme?: Meme;
};

/** Of the file that it is passed on as. */
export const pictureName = ({ title }: Meme): string => `${title.replace(/\W+/g, '-')}.webp`;

export function useShownMeme() {
  const { key, search, state } = useLocation();
  const query = new URLSearchParams(search);
  return {
    /** 0 = none. */
    id: Number(query.get('meme')) || 0,
    key,
    state: (state ?? {}) as State,
    /**
     * The query of this page with a meme, or without. `byId`: the list follows the ids of its memes. Browsers without scripts then find the
     * meme by `?after=`.
     */
    searchWith(meme: Meme | undefined, byId: boolean) {
      query.delete('after');
      query.delete('meme');
      if (meme && byId) query.set('after', String(meme.id - 1));
      if (meme) query.set('meme', String(meme.id));
      return String(query);
    },
  };
}
