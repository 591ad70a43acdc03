/** Replaces the player for visitors who may not watch: a link to join, or a button to confirm the number. */
import { Link } from 'react-router';
import { brand } from '../brand';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import { LockIcon } from './icons';
import { Picture } from './Picture';
import { PriceLine } from './PriceLine';
import { ConfirmButton } from './VisitorBar';
import './player.css';

/** `status`: the server's response to a request for the media, 401 or 403. */
export function PlayerGate({ status, poster }: { status: number; poster: string }) {
  const { active } = useVisitor();
  const { name } = brand();
  const isNumberKnown = status === 401 && active;
  return (
    <div className="player ratio player-gate">
      {/* A dimmed background, so a small rendition is enough. */}
      <Picture src={poster} alt="" width={960} height={540} sizes="60vw" max={480} eager />
      <div className="player-gate-box">
        <LockIcon />
        <h2>
          {isNumberKnown
            ? "Confirm it's you to watch"
            : status === 403
              ? 'Your subscription is not active'
              : `Join ${name} to watch`}
        </h2>
        {isNumberKnown ? (
          <ConfirmButton />
        ) : (
          <Link className="button" to={paths.join()}>
            {status === 403 ? 'Join again' : 'Join now'}
          </Link>
        )}
        <PriceLine />
      </div>
    </div>
  );
}
