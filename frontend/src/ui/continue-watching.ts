/** Loads the row of unfinished films if this phone has any and the visitor has access. */
import { type ComponentType, useEffect, useState } from 'react';
import { useFlag } from '../session';
import { hasSavedPositions } from './resume';

export function useContinueWatching(): ComponentType | undefined {
  const flag = useFlag();
  const [Row, setRow] = useState<ComponentType>();
  useEffect(() => {
    if (flag !== '1' || !hasSavedPositions()) return;
    import('./ContinueWatching').then(({ ContinueWatching }) => setRow(() => ContinueWatching), console.info);
  }, [flag]);
  return Row;
}
