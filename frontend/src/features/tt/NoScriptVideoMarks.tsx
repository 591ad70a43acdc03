/** Like and Watchlist of a video for browsers without scripts. */

import { segment } from '../../api/client';
import type { MyTt, TtVideo } from '../../api/types';
import { t } from '../../messages';
import type { Flag } from '../../paths';
import { ownReply } from '../../server-input';
import { apiService } from '../../service-name';
import { CheckIcon, HeartFilledIcon, HeartIcon, PlusIcon } from '../../ui/icons';
import { hasSession, NoScriptJoinLink, NoScriptMark, NoScriptMarks } from '../../ui/NoScriptForms';

type Props = { video: TtVideo; service: string; flag: Flag };

export function NoScriptVideoMarks({ video: { videoid }, service, flag }: Props) {
  const mine = ownReply<MyTt>(`/api/tt/mine/${segment(apiService(service))}`);
  const liked = mine?.liked.includes(videoid) ?? false;
  const listed = mine?.watchlist.includes(videoid) ?? false;
  if (flag === '0' || !hasSession()) {
    return (
      <>
        <NoScriptJoinLink flag={flag} className="mark">
          <HeartIcon />
          {t('like')}
        </NoScriptJoinLink>
        <NoScriptJoinLink flag={flag} className="mark">
          <PlusIcon />
          {t('watchlist')}
        </NoScriptJoinLink>
      </>
    );
  }
  return (
    <NoScriptMarks place="marks">
      <NoScriptMark name={liked ? 'unlike' : 'like'} id={videoid} className="mark">
        {liked ? <HeartFilledIcon /> : <HeartIcon />}
        {t('like')}
      </NoScriptMark>
      <NoScriptMark name={listed ? 'unwatch' : 'watch'} id={videoid} className="mark">
        {listed ? <CheckIcon /> : <PlusIcon />}
        {t('watchlist')}
      </NoScriptMark>
    </NoScriptMarks>
  );
}
