/** Memes as cards that open, are liked and are passed on. */
import { useState } from 'react';
import type { Meme } from '../../api/types';
import { longDate } from '../../clock';
import type { Flag } from '../../paths';
import { openOptIn, useSession } from '../../session';
import { EndlessList, type Pages } from '../../ui/EndlessList';
import { ShareIcon } from '../../ui/icons';
import { JoinOffer } from '../../ui/JoinOffer';
import { useLikes } from './api';
import { LikeButton } from './LikeButton';
import { MemePicture } from './MemePicture';
import { MemeViewer } from './MemeViewer';
import { NoScriptLike } from './NoScriptLike';
import { shareMeme } from './share-meme';

type Props = {
  memes: Meme[];
  pages: Pages;
  /** Without '1' a like opens the operator's page instead. */
  flag?: Flag;
  /** As in a category: with the date, and a badge that says whether this visitor likes it (1 or 0). */
  dated?: boolean;
};

export function MemeGrid({ memes, pages, flag = '1', dated = false }: Props) {
  const likes = useLikes();
  const [shown, setShown] = useState<Meme | null>(null);
  const [offered, setOffered] = useState(false);
  const session = useSession();
  // Without a session the server would only refuse it.
  const like = (meme: Meme) => (session === null ? setOffered(true) : likes.toggle(meme));
  return (
    <>
      <EndlessList className="grid grid-memes" items={memes} idOf={({ id }) => id} pages={pages}>
        {(meme, place) => {
          const liked = likes.isLiked(meme.id);
          return (
            <article className="meme-card">
              <button
                type="button"
                className="meme-open"
                aria-label={`Open ${meme.title}`}
                onClick={() => setShown(meme)}
              >
                <MemePicture meme={meme} eager={place < 2} />
              </button>
              <h2>{meme.title}</h2>
              {dated && <p className="meme-date">{longDate(meme.created_at)}</p>}
              <div className="meme-foot">
                <noscript>
                  {SERVER_RENDERING && <NoScriptLike meme={meme} flag={flag} dated={dated} />}
                </noscript>
                <LikeButton
                  title={meme.title}
                  liked={liked}
                  count={dated ? Number(liked) : meme.likes}
                  onToggle={() => (flag === '1' ? like(meme) : openOptIn())}
                />
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`Share ${meme.title}`}
                  onClick={() => shareMeme(meme)}
                >
                  <ShareIcon />
                </button>
              </div>
            </article>
          );
        }}
      </EndlessList>
      {offered && <JoinOffer onClose={() => setOffered(false)} />}
      {shown && <MemeViewer meme={shown} onClose={() => setShown(null)} />}
    </>
  );
}
