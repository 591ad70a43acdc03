/** Decides whether a locked film's clip plays (Clip.tsx), which is loaded then. */

import { useEffect, useState } from 'react';
import { isStill } from './carousel-beat';
import { wantsLessData, wantsLessMotion } from './device';

type Props = {
  picture: string;
  /** Called when the clip begins and when it has ended. */
  onPlays?: (plays: boolean) => void;
};

/** The page's own pictures come first, and a slide that is passed by requests no clip. */
const DELAY_MS = 600;

/** The name of a picture with a clip (crates/content/src/transcode/clip.rs). */
const NAME = /\.clip\.webp$/;

const loadClip = () => import(/* webpackChunkName: "clip" */ './Clip');
type ClipModule = Awaited<ReturnType<typeof loadClip>>;

export function FreeSeconds({ picture, onPlays }: Props) {
  const [clip, setClip] = useState<{ module: ClipModule; source: string }>();
  useEffect(() => {
    if (!NAME.test(picture) || wantsLessData() || wantsLessMotion() || isStill()) return;
    const source = picture.replace(NAME, '.clip.mp4');
    const load = () =>
      loadClip().then(
        module => setClip({ module, source }),
        error => console.info('No clip', error),
      );
    const timer = window.setTimeout(load, DELAY_MS);
    return () => {
      window.clearTimeout(timer);
      setClip(undefined);
    };
  }, [picture]);
  return clip ? <clip.module.Clip key={clip.source} source={clip.source} onPlays={onPlays} /> : null;
}
