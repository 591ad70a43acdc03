/** Pictures are fetched when they are near the screen. `loading=lazy` alone fetches three screens ahead on a slow link, where it hurts most. */
import { type RefObject, useEffect, useState } from 'react';

/** How far below the screen something counts as near. */
const MARGIN = '200px 0px';

/** Whether `box` is on the screen or about to be, or ever was. `eager`: on it from the beginning. */
export function useNear(box: RefObject<Element | null>, eager: boolean): boolean {
  const [near, setNear] = useState(eager);
  useEffect(() => {
    if (near || !box.current) return;
    if (!('IntersectionObserver' in window)) return setNear(true);
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [near, box]);
  return near;
}
