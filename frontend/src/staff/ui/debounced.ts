/** A search is sent once a person stops typing: one call instead of one per letter. */
import { useEffect, useState } from 'react';

const WAIT_MS = 250;

/** The text as it was when the last letter was typed; none at once. */
export function useDebounced(text: string): string {
  const [sent, setSent] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSent(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : sent;
}
