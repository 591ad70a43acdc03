/** A video's playback (playback.ts) for a component. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Playback, type PlaybackOptions, type PlaybackState, startPlayback } from './playback';
import type { Quality } from './quality';

export function usePlayback(
  element: RefObject<HTMLVideoElement | null>,
  source: string,
  options: PlaybackOptions,
) {
  const [state, setState] = useState<PlaybackState>('running');
  const playback = useRef<Playback>(null);
  const latest = useEffectEvent(() => options);
  useEffect(() => {
    if (!element.current) return;
    const started = startPlayback(element.current, source, () => latest(), setState);
    playback.current = started;
    return () => started.leave();
  }, [source, element]);
  const waits = options.turn?.waits === true;
  useEffect(() => playback.current?.takeTurn(waits), [waits]);
  return {
    state,
    tryAgain: () => playback.current?.tryAgain(),
    setQuality: (quality: Quality) => playback.current?.setQuality(quality),
    playSoundAlone: (bytes: number) => playback.current?.playSoundAlone(bytes),
  };
}
