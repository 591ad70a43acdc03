/** The watchlist for browsers without scripts. */

import { brand } from '../../brand';
import { durationAndSize } from '../../clock';
import { t } from '../../messages';
import { paths } from '../../paths';
import { hasSession, NoScriptMark, NoScriptMarks } from '../../ui/NoScriptForms';
import { NoScriptMoreOwn } from '../../ui/NoScriptMore';
import { NoScriptPicture } from '../../ui/NoScriptPicture';
import { PriceLine } from '../../ui/PriceLine';
import { ownWatchlist } from './api';

export function NoScriptWatchlist({ service }: { service: string }) {
  if (!hasSession())
    return (
      <div className="notice">
        <p>{t('join-to-keep', { name: brand().name })}</p>
        <PriceLine />
        <a className="button" href={paths.join()}>
          {t('JOIN')}
        </a>
      </div>
    );
  const items = ownWatchlist(service);
  if (items.length === 0)
    return (
      <div className="notice">
        <p>{t('watchlist-empty-hint')}</p>
        <a className="button" href={paths.root()}>
          {t('find-something')}
        </a>
      </div>
    );
  return (
    <NoScriptMarks place="list">
      <ul className="grid grid-videos">
        {items.map(({ videoid, name, artist, imgurl, duration_s, bytes }) => (
          <li key={videoid}>
            <a className="video-card" href={paths.ttVideo(videoid, service)}>
              <span className="ratio video-card-picture">
                <NoScriptPicture src={imgurl} />
                <span className="video-card-cost">{durationAndSize(duration_s, bytes)}</span>
              </span>
              <span className="video-card-title">{name}</span>
              <span className="video-card-note">{artist}</span>
            </a>
            <NoScriptMark
              name="unwatch"
              id={videoid}
              label={t('remove-item', { title: name })}
              className="mark"
            >
              {t('remove')}
            </NoScriptMark>
          </li>
        ))}
      </ul>
      <NoScriptMoreOwn />
    </NoScriptMarks>
  );
}
