/** Replaces the player for visitors who may not watch: a link to join, or a button to confirm the number. */

import { useState } from 'react';
import { Link } from 'react-router';
import { brand } from '../brand';
import { t } from '../messages';
import { paths } from '../paths';
import { useVisitor } from '../visitor';
import { useWantedPage } from '../wanted';
import { FreeSeconds } from './FreeSeconds';
import { LockIcon } from './icons';
import { Picture } from './Picture';
import { PriceLine } from './PriceLine';
import { ConfirmButton } from './VisitorBar';
import './player.css';

/** `status`: the server's response to a request for the media, 401 or 403. */
export function PlayerGate({ status, poster }: { status: number; poster: string }) {
  const [plays, setPlays] = useState(false);
  return (
    <div className="player ratio player-gate" data-plays={plays}>
      {/* A dimmed background, so a small rendition is enough. */}
      <Picture src={poster} alt="" width={960} height={540} sizes="60vw" max={480} eager />
      <FreeSeconds picture={poster} onPlays={setPlays} />
      <Lock status={status} />
    </div>
  );
}

/** The way in, with its price. */
export function Lock({ status }: { status: number }) {
  const { active } = useVisitor();
  const wanted = useWantedPage();
  const { name } = brand();
  const isNumberKnown = status === 401 && active;
  return (
    <div className="player-gate-box">
      <LockIcon />
      <h2>
        {isNumberKnown
          ? t('confirm-to-watch')
          : status === 403
            ? t('not-active')
            : t('join-to-watch', { name })}
      </h2>
      {isNumberKnown ? (
        <ConfirmButton />
      ) : (
        <Link className="button" to={paths.join(wanted)}>
          {t(status === 403 ? 'join-again' : 'join-now')}
        </Link>
      )}
      {isNumberKnown ? <p>{t('network-asks')}</p> : <PriceLine />}
    </div>
  );
}
