/** The watchlist for browsers without scripts: what is in the home's rows has its picture. */
import { segment } from '../../api/client';
import type { TtCategoryVideos } from '../../api/types';
import { brand } from '../../brand';
import { paths } from '../../paths';
import { ownReply } from '../../server-input';
import { apiService } from '../../service-name';
import { hasSession, NoScriptMark, NoScriptMarks } from '../../ui/NoScriptForms';
import { NoScriptPicture } from '../../ui/NoScriptPicture';
import { PriceLine } from '../../ui/PriceLine';
import { ownWatchlist } from './api';

export function NoScriptWatchlist({ service }: { service: string }) {
  if (!hasSession())
    return (
      <div className="notice">
        <p>Join {brand().name} to keep a watchlist.</p>
        <PriceLine />
        <a className="button" href={paths.join()}>
          JOIN
        </a>
      </div>
    );
  const items = ownWatchlist(service);
  if (items.length === 0)
    return (
      <div className="notice">
        <p>Your watchlist is empty. Tap Watchlist below a video, and it is kept here.</p>
        <a className="button" href={paths.root()}>
          Find something to watch
        </a>
      </div>
    );
  const rows = ownReply<TtCategoryVideos[]>(`/api/tt/getcatvideos/${segment(apiService(service))}`) ?? [];
  const pictures = new Map(rows.flatMap(({ videos }) => videos.map(({ id, imgurl }) => [id, imgurl])));
  return (
    <NoScriptMarks place="list">
      <ul className="grid grid-videos">
        {items.map(({ videoid, name }) => {
          const picture = pictures.get(videoid);
          return (
            <li key={videoid}>
              <a className="video-card" href={paths.ttVideo(videoid, service)}>
                <span className="ratio video-card-picture">
                  {picture && <NoScriptPicture src={picture} />}
                </span>
                <span className="video-card-title">{name}</span>
              </a>
              <NoScriptMark name="unwatch" id={videoid} label={`Remove ${name}`} className="mark">
                Remove
              </NoScriptMark>
            </li>
          );
        })}
      </ul>
    </NoScriptMarks>
  );
}
