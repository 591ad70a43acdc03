import { t } from '../../messages';
import { HeartFilledIcon, HeartIcon } from '../../ui/icons';
import { MarkForm } from '../../ui/MarkForm';

type Props = { id: number; title: string; liked: boolean; count: number; onToggle: () => void };

export function LikeButton({ id, title, liked, count, onToggle }: Props) {
  return (
    <MarkForm
      className="like"
      name="like"
      value={id}
      on={liked}
      aria-pressed={liked}
      place={`meme-${id}`}
      // `aria-label` replaces the button's content for screen readers, so it includes the count.
      aria-label={t('like-item', { title, count })}
      onToggle={onToggle}
    >
      <span className="like-pill">
        {liked ? <HeartFilledIcon /> : <HeartIcon />}
        <span className="like-count">{count}</span>
      </span>
    </MarkForm>
  );
}
