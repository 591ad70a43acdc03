/** What stands in a player's place for who may not watch: the way in. */
import { Link } from 'react-router';
import { brand } from '../brand';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import { LockIcon } from './icons';
import { Picture } from './Picture';
import { PriceLine } from './PriceLine';
import { ConfirmButton } from './VisitorBar';
import './player.css';

/** `status`: what the server says, or would say, to a request for the media. */
export function PlayerGate({ status, poster }: { status: number; poster: string }) {
  const { active } = useVisitor();
  const { name } = brand();
  const known = status === 401 && active;
  return (
    <div className="player ratio player-gate">
      {/* It shines through dimly, so it need not be sharp. */}
      <Picture src={poster} alt="" width={960} height={540} sizes="60vw" max={480} eager />
      <div className="player-gate-box">
        <LockIcon />
        <h2>
          {known
            ? "Confirm it's you to watch"
            : status === 403
              ? 'Your subscription is not active'
              : `Join ${name} to watch`}
        </h2>
        {known ? (
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
