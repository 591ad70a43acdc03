/** A video for browsers without scripts. The gateway checks access to the file. */
import type { Me } from '../api/types';
import { ownReply } from '../server-input';
import { codeOf } from './captions';
import { resized } from './Picture';
import { PlayerGate } from './PlayerGate';

type Props = { source: string; poster: string; title: string; captions?: string | undefined };

/** Streams have an MP4 file for browsers that cannot play them (`content transcode` makes it). */
const fileOf = (source: string): string => source.replace(/[^/]*\.m3u8$/, 'fallback.mp4');

export function NoScriptVideo({ source, poster, title, captions }: Props) {
  const me = ownReply<Me>('/api/subscribe/me');
  if (me === null) return <PlayerGate status={401} poster={poster} />;
  if (me && me.state !== 'active') return <PlayerGate status={403} poster={poster} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: there is a track if the video has captions
    <video
      src={fileOf(source)}
      poster={resized(poster, 960)}
      aria-label={title}
      controls
      controlsList="nodownload"
      autoPlay
      loop
      playsInline
      preload="metadata"
    >
      {/* The browser shows the language's name. */}
      {captions && <track kind="captions" src={captions} srcLang={codeOf(captions)} />}
    </video>
  );
}
