import { HeartFilledIcon, HeartIcon } from '../../ui/icons';

type Props = { title: string; liked: boolean; count: number; onToggle: () => void };

export function LikeButton({ title, liked, count, onToggle }: Props) {
  return (
    <button
      type="button"
      className="like"
      aria-pressed={liked}
      // A label takes the place of what stands in a button, so it has to say the count as well.
      aria-label={`Like ${title}, ${count}`}
      onClick={onToggle}
    >
      <span className="like-pill">
        {liked ? <HeartFilledIcon /> : <HeartIcon />}
        <span className="like-count">{count}</span>
      </span>
    </button>
  );
}
