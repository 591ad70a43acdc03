/** Pictures are fetched when they are near the viewport. `loading=lazy` alone fetches three screens ahead on slow links. */
import { type RefObject, useEffect, useState } from 'react';

/** The distance from the viewport that counts as near. */
const MARGIN = '200px 0px';

/** Whether `box` is or ever was near the viewport. `eager`: true from the beginning. */
export function useNearViewport(box: RefObject<Element | null>, eager: boolean): boolean {
  const [near, setNear] = useState(eager);
  useEffect(() => {
    if (near || !box.current) return;
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
