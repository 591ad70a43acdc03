/** Like and Watchlist of a video for browsers without scripts. */
import { segment } from '../../api/client';
import type { MyTt, TtVideo } from '../../api/types';
import type { Flag } from '../../paths';
import { ownReply } from '../../server-input';
import { apiService } from '../../service-name';
import { CheckIcon, HeartFilledIcon, HeartIcon, PlusIcon } from '../../ui/icons';
import { hasSession, PlainMark, PlainMarks, PlainWayIn } from '../../ui/PlainForms';

type Props = { video: TtVideo; service: string; flag: Flag };

export function PlainVideoMarks({ video: { videoid }, service, flag }: Props) {
  const mine = ownReply<MyTt>(`/api/tt/mine/${segment(apiService(service))}`);
  const liked = mine?.liked.includes(videoid) ?? false;
  const listed = mine?.watchlist.includes(videoid) ?? false;
  if (flag === '0' || !hasSession()) {
    return (
      <>
        <PlainWayIn flag={flag} className="mark">
          <HeartIcon />
          Like
        </PlainWayIn>
        <PlainWayIn flag={flag} className="mark">
          <PlusIcon />
          Watchlist
        </PlainWayIn>
      </>
    );
  }
  return (
    <PlainMarks place="marks">
      <PlainMark name={liked ? 'unlike' : 'like'} id={videoid} className="mark">
        {liked ? <HeartFilledIcon /> : <HeartIcon />}
        Like
      </PlainMark>
      <PlainMark name={listed ? 'unwatch' : 'watch'} id={videoid} className="mark">
        {listed ? <CheckIcon /> : <PlusIcon />}
        Watchlist
      </PlainMark>
    </PlainMarks>
  );
}
