/** The result of the last action for browsers without scripts, from the query of the address. */

import { useLocation } from 'react-router';
import { type MessageId, t } from '../messages';
import { UNCONFIRMED } from './unconfirmed';

export function NoScriptNotice() {
  const messages: Record<string, MessageId | undefined> = UNCONFIRMED;
  const query = new URLSearchParams(useLocation().search);
  const unconfirmed = messages[query.get('unconfirmed') ?? ''];
  if (!unconfirmed && !query.has('failed')) return null;
  return (
    <p className="plain-news" role="alert">
      {t(unconfirmed ?? 'failed-removal')}
    </p>
  );
}
