/** Loads the row of unfinished films if this phone has any and the visitor has access. */
import { createElement, type ReactNode, useEffect, useState } from 'react';
import { useFlag } from '../session';
import { hasSavedPositions } from './resume';

export function useContinueWatching(): ReactNode {
  const flag = useFlag();
  const [row, setRow] = useState<ReactNode>();
  useEffect(() => {
    if (flag !== '1' || !hasSavedPositions()) return;
    import('./ContinueWatching').then(
      ({ ContinueWatching }) => setRow(createElement(ContinueWatching)),
      console.info,
    );
  }, [flag]);
  return row;
}
