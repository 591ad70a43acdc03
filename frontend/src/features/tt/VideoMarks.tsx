/** Like, Watchlist and Share of one video; a visitor without access is offered to join. */

import type { TtVideo } from '../../api/types';
import { t } from '../../messages';
import { paths } from '../../paths';
import { openOptIn, useFlag, useSession } from '../../session';
import { CheckIcon, HeartFilledIcon, HeartIcon, PlusIcon } from '../../ui/icons';
import { useJoinOffer } from '../../ui/join-offer';
import { ShareButton } from '../../ui/ShareButton';
import { useMarks } from './marks';
import { NoScriptVideoMarks } from './NoScriptVideoMarks';

export function VideoMarks({ video, service }: { video: TtVideo; service: string }) {
  const { like, watchlist } = useMarks(video, service);
  const flag = useFlag();
  const session = useSession();
  const { dialog, offer } = useJoinOffer();
  // Without a session the server would only refuse it.
  const allowed = (toggle: () => void) => (session === null ? offer : toggle);
  const gated = (toggle: () => void) =>
    flag === '1' ? allowed(toggle) : () => openOptIn(paths.ttVideo(video.id, service));
  return (
    <>
      <noscript>
        {SERVER_RENDERING && <NoScriptVideoMarks video={video} service={service} flag={flag} />}
      </noscript>
      <button type="button" className="mark" aria-pressed={like.on} onClick={gated(like.toggle)}>
        {like.on ? <HeartFilledIcon /> : <HeartIcon />}
        {t('like')}
      </button>
      <button type="button" className="mark" aria-pressed={watchlist.on} onClick={gated(watchlist.toggle)}>
        {watchlist.on ? <CheckIcon /> : <PlusIcon />}
        {t('watchlist')}
      </button>
      {dialog}
      <ShareButton title={video.name} path={paths.ttVideo(video.id, service)} />
    </>
  );
}
