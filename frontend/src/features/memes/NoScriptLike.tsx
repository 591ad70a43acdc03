/** The like button for browsers without scripts. */

import type { Meme, MyMemes } from '../../api/types';
import { t } from '../../messages';
import type { Flag } from '../../paths';
import { ownReply } from '../../server-input';
import { HeartFilledIcon, HeartIcon } from '../../ui/icons';
import { hasSession, NoScriptJoinLink, NoScriptMark, NoScriptMarks } from '../../ui/NoScriptForms';

type Props = { meme: Meme; flag: Flag; dated: boolean };

export function NoScriptLike({ meme: { id, title, likes }, flag, dated }: Props) {
  const liked = ownReply<MyMemes>('/api/meme/mine')?.liked.includes(id) ?? false;
  const count = dated ? Number(liked) : likes;
  const heart = (
    <span className="like-pill">
      {liked ? <HeartFilledIcon /> : <HeartIcon />}
      <span className="like-count">{count}</span>
    </span>
  );
  const look = { className: 'like', label: t('like-item', { title, count }) };
  if (flag === '0' || !hasSession()) {
    return (
      <NoScriptJoinLink flag={flag} {...look}>
        {heart}
      </NoScriptJoinLink>
    );
  }
  return (
    <NoScriptMarks place={`meme-${id}`}>
      <NoScriptMark name={liked ? 'unlike' : 'like'} id={id} {...look}>
        {heart}
      </NoScriptMark>
    </NoScriptMarks>
  );
}
