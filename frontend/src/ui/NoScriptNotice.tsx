/** The result of the last action for browsers without scripts, from the query of the address. */
import { useLocation } from 'react-router';
import { UNCONFIRMED } from './unconfirmed';

export function NoScriptNotice() {
  const words: Record<string, string> = UNCONFIRMED;
  const query = new URLSearchParams(useLocation().search);
  const unconfirmed = words[query.get('unconfirmed') ?? ''];
  if (!unconfirmed && !query.has('failed')) return null;
  return (
    <p className="plain-news" role="alert">
      {unconfirmed ?? 'Failed to remove video. Please try again.'}
    </p>
  );
}
