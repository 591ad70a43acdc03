import { t } from '../../messages';
import { HeartFilledIcon, HeartIcon } from '../../ui/icons';

type Props = { title: string; liked: boolean; count: number; onToggle: () => void };

export function LikeButton({ title, liked, count, onToggle }: Props) {
  return (
    <button
      type="button"
      className="like"
      aria-pressed={liked}
      // `aria-label` replaces the button's content for screen readers, so it includes the count.
      aria-label={t('like-item', { title, count })}
      onClick={onToggle}
    >
      <span className="like-pill">
        {liked ? <HeartFilledIcon /> : <HeartIcon />}
        <span className="like-count">{count}</span>
      </span>
    </button>
  );
}
