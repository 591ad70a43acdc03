/** Memes as cards that open, are liked and are passed on. */

import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Meme } from '../../../shared/contract/sites';
import { longDate } from '../../clock';
import { langOf, t } from '../../messages';
import type { Flag } from '../../paths';
import { EndlessList, type Pages } from '../../ui/EndlessList';
import { ShareIcon } from '../../ui/icons';
import { seenAs } from './api';
import { LikeButton } from './LikeButton';
import { MemePicture } from './MemePicture';
import type { MemeViewer } from './MemeViewer';
import { seeCard } from './seen-cards';
import { useShownMeme } from './shown-meme';

type Props = {
  memes: Meme[];
  pages?: Pages;
  /** False where another grid of the page shows the meme that is open. */
  opens?: boolean;
  /** Without '1' a like opens the operator's page instead. */
  flag?: Flag;
  /** As in a category: with the date, and a badge that says whether this visitor likes it (1 or 0). */
  dated?: boolean;
  /** The id of the category, if all memes are of one. */
  category?: string;
  /** The name of the liked category that led to a meme. */
  because?: (meme: Meme) => string | undefined;
};

export function MemeGrid({
  memes,
  pages,
  opens = true,
  flag = '1',
  dated = false,
  category,
  because,
}: Props) {
  const shown = useShownMeme();
  const navigate = useNavigate();
  const byId = category !== undefined;
  const [Viewer, setViewer] = useState<ComponentType<ComponentProps<typeof MemeViewer>>>();
  const isShown = opens && shown.id > 0;
  useEffect(() => {
    if (!isShown) return;
    import(/* webpackChunkName: "meme-viewer" */ './MemeViewer').then(
      ({ MemeViewer }) => setViewer(() => MemeViewer),
      error => console.info('No viewer', error),
    );
  }, [isShown]);
  const heart = (meme: Meme) => <LikeButton meme={meme} flag={flag} own={dated} />;
  const share = async (meme: Meme) => {
    const { shareMeme } = await import(/* webpackChunkName: "share-meme" */ './share-meme');
    await shareMeme(meme);
  };
  return (
    <>
      <EndlessList className="grid grid-memes" items={memes} idOf={({ id }) => id} pages={pages}>
        {(meme, place) => (
          <article ref={seeCard} className="meme-card" id={seenAs(meme)}>
            <button
              type="button"
              className="meme-open"
              aria-label={t('open-item', { title: meme.title })}
              onClick={() =>
                navigate({ search: shown.searchWith(meme, byId) }, { state: { under: shown.key, meme } })
              }
            >
              <MemePicture meme={meme} eager={place < 2} />
            </button>
            <h2 lang={langOf(meme.title_lang)}>{meme.title}</h2>
            <Because name={because?.(meme)} />
            {dated && <p className="meme-date">{longDate(meme.created_at)}</p>}
            <div className="meme-foot">
              {heart(meme)}
              <button
                type="button"
                className="icon-button"
                aria-label={t('share-item', { title: meme.title })}
                onClick={() => share(meme)}
              >
                <ShareIcon />
              </button>
            </div>
          </article>
        )}
      </EndlessList>
      {Viewer && isShown && (
        <Viewer memes={memes} pages={pages} category={category} heart={heart} onShare={share} />
      )}
    </>
  );
}

const Because = ({ name }: { name: string | undefined }) =>
  name === undefined ? null : <p className="because">{t('because-liked', { name })}</p>;
