/** The heart of one meme, with the state that it shows: a like renders one heart, not the list. */
import type { Meme } from '../../../shared/contract/sites';
import { t } from '../../messages';
import type { Flag } from '../../paths';
import { openOptIn, useSession } from '../../session';
import { HeartFilledIcon, HeartIcon } from '../../ui/icons';
import { useJoinOffer } from '../../ui/join-offer';
import { MarkForm } from '../../ui/MarkForm';
import { useWantedPage } from '../../wanted';
import { useLike } from './api';

type Props = {
  meme: Meme;
  /** Without '1' a like opens the operator's page instead. */
  flag: Flag;
  /** Counts this visitor's like only: 1 or 0. */
  own: boolean;
};

export function LikeButton({ meme, flag, own }: Props) {
  const { liked, toggle } = useLike(meme);
  const { dialog, offer } = useJoinOffer();
  const wanted = useWantedPage();
  const session = useSession();
  const count = own ? Number(liked) : meme.likes;
  // Without a session the server would only refuse it.
  const like = () => (session === null ? offer() : toggle());
  return (
    <>
      <MarkForm
        className="like"
        name="like"
        value={meme.id}
        on={liked}
        aria-pressed={liked}
        place={`meme-${meme.id}`}
        // `aria-label` replaces the button's content for screen readers, so it includes the count.
        aria-label={t('like-item', { title: meme.title, count })}
        onToggle={() => (flag === '1' ? like() : openOptIn(wanted))}
      >
        <span className="like-pill">
          {liked ? <HeartFilledIcon /> : <HeartIcon />}
          <span className="like-count">{count}</span>
        </span>
      </MarkForm>
      {dialog}
    </>
  );
}
