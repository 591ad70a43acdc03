/** One player of a feed. It loads its first segment while it waits, and plays when its turn comes. */

import { useEffect, useRef, useState } from 'react';
import { withDomain } from '../host';
import { isGlance, learnTaste } from '../taste';
import { CapReached } from './CapReached';
import { CaptionsTrack } from './CaptionControls';
import { wantsLessMotion } from './device';
import type { FeedVideo } from './Feed';
import { resized } from './Picture';
import { ConnectionLost, playAloud, SoundButton } from './PlayerNotices';
import { PlayTap } from './PlayTap';
import { LOOPED } from './playback';
import { usePlayback } from './use-playback';

type Props = {
  video: FeedVideo;
  waits: boolean;
  /** The browser has refused sound, or the visitor has turned it off. */
  silent: boolean;
  /** The browser has refused sound, which the visitor wants: the first tap turns it on. */
  refusedSound: boolean;
  onSilenced: () => void;
  onSound: () => void;
  /** It plays, and has enough loaded to go on while the next one begins to load. */
  onSettled: () => void;
  onRefused: (status: number) => void;
};

/** Seconds. */
const ENOUGH_AHEAD = 6;

/** Bytes up to which a file is fetched whole ahead; of a longer one the browser fetches its beginning. */
const SMALL_FILE = 500_000;

export function FeedPlayer({
  video,
  waits,
  silent,
  refusedSound,
  onSilenced,
  onSound,
  onSettled,
  onRefused,
}: Props) {
  const element = useRef<HTMLVideoElement>(null);
  const [byHand] = useState(wantsLessMotion);
  const playback = usePlayback(element, withDomain(video.source), {
    bytes: video.bytes,
    film: undefined,
    onRefused,
    onSilenced,
    onResumed: () => undefined,
    turn: { waits, byHand },
  });
  useEffect(() => {
    if (element.current) element.current.muted = silent;
  }, [silent]);
  const { taste } = video;
  useEffect(() => {
    const { current } = element;
    if (waits || !current) return;
    const start = Date.now();
    const watched = () => learnTaste(taste, 'watched');
    current.addEventListener(LOOPED, watched, { once: true });
    return () => {
      current.removeEventListener(LOOPED, watched);
      if (isGlance(start) && !current.paused) learnTaste(taste, 'left');
    };
  }, [waits, taste]);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: CaptionsTrack is the track */}
      <video
        ref={element}
        aria-label={video.title}
        lang={video.lang}
        poster={resized(video.poster, 960)}
        loop
        playsInline
        preload={video.bytes <= SMALL_FILE || !waits ? 'auto' : 'metadata'}
        onVolumeChange={({ currentTarget }) => currentTarget.muted || onSound()}
        onTimeUpdate={({ currentTarget }) => {
          if (!waits && hasEnough(currentTarget)) onSettled();
        }}
      >
        {video.captions && <CaptionsTrack address={withDomain(video.captions)} />}
      </video>
      {!waits && playback.state === 'capped' && <CapReached />}
      {!waits && playback.state === 'lost' && <ConnectionLost onAgain={playback.tryAgain} />}
      {!waits && playback.state !== 'capped' && playback.state !== 'lost' && (
        <PlayTap
          element={element}
          title={video.title}
          first={() => {
            if (!refusedSound || !element.current) return false;
            playAloud(element.current);
            onSound();
            return true;
          }}
        />
      )}
      {!waits && refusedSound && <SoundButton element={element} onSound={onSound} />}
    </>
  );
}

function hasEnough({ buffered, currentTime, duration, paused }: HTMLVideoElement): boolean {
  if (paused || buffered.length === 0) return false;
  const end = buffered.end(buffered.length - 1);
  return end >= Math.min(currentTime + ENOUGH_AHEAD, duration - 0.5);
}
