/** What browsers without scripts are told of what they have just done: their addresses say it. */
import { useLocation } from 'react-router';

/** `words`: by what the network was asked for. */
export function PlainNews({ words }: { words: Record<string, string> }) {
  const query = new URLSearchParams(useLocation().search);
  const unconfirmed = words[query.get('unconfirmed') ?? ''];
  if (!unconfirmed && !query.has('failed')) return null;
  return (
    <p className="plain-news" role="alert">
      {unconfirmed ?? 'Failed to remove video. Please try again.'}
    </p>
  );
}
