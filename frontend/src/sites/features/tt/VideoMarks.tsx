/** Like, Watchlist and Share of one video; a visitor without access is offered to join. */

import type { TtVideo } from '../../../shared/contract/sites';
import { t } from '../../messages';
import { paths } from '../../paths';
import { openOptIn, useFlag, useSession } from '../../session';
import { CheckIcon, HeartFilledIcon, HeartIcon, PlusIcon } from '../../ui/icons';
import { useJoinOffer } from '../../ui/join-offer';
import { MarkForm } from '../../ui/MarkForm';
import { ShareButton } from '../../ui/ShareButton';
import { useMarks } from './marks';

export function VideoMarks({ video, service }: { video: TtVideo; service: string }) {
  const { like, watchlist } = useMarks(video, service);
  const flag = useFlag();
  const session = useSession();
  const { dialog, offer } = useJoinOffer();
  // Without a session the server would only refuse it.
  const allowed = (toggle: () => void) => (session === null ? offer : toggle);
  const gated = (toggle: () => void) =>
    flag === '1' ? allowed(toggle) : () => openOptIn(paths.ttVideo(video.id, service));
  const mark = { className: 'mark', value: video.videoid, place: 'marks' };
  return (
    <>
      <MarkForm {...mark} name="like" on={like.on} aria-pressed={like.on} onToggle={gated(like.toggle)}>
        {like.on ? <HeartFilledIcon /> : <HeartIcon />}
        {t('like')}
      </MarkForm>
      <MarkForm
        {...mark}
        name="watch"
        on={watchlist.on}
        aria-pressed={watchlist.on}
        onToggle={gated(watchlist.toggle)}
      >
        {watchlist.on ? <CheckIcon /> : <PlusIcon />}
        {t('watchlist')}
      </MarkForm>
      {dialog}
      <ShareButton title={video.name} path={paths.ttVideo(video.id, service)} />
    </>
  );
}
