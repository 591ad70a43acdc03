/** Loads the rows of this phone: saved films, if there are any, and unfinished ones, if the visitor has access. */
import { createElement, Fragment, type ReactNode, useEffect, useState } from 'react';
import { useFlag } from '../session';
import { hasSavedPositions } from './resume';
import { hasSavedFilms } from './saved-list';

export function useContinueWatching(): ReactNode {
  const flag = useFlag();
  const [row, setRow] = useState<ReactNode>();
  const [saved, setSaved] = useState<ReactNode>();
  useEffect(() => {
    if (!hasSavedFilms()) return;
    import(/* webpackChunkName: "saved-films" */ '../saved/SavedFilms').then(
      ({ SavedFilms }) => setSaved(createElement(SavedFilms)),
      console.info,
    );
  }, []);
  useEffect(() => {
    if (flag !== '1' || !hasSavedPositions()) return;
    import('./ContinueWatching').then(
      ({ ContinueWatching }) => setRow(createElement(ContinueWatching)),
      console.info,
    );
  }, [flag]);
  return createElement(Fragment, null, saved, row);
}
