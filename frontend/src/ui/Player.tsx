/** The looping player. Who may not have the video sees the way in instead of a broken player. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { withDomain } from '../host';
import { useSession } from '../session';
import { BackIcon } from './BackIcon';
import { CaptionsButton, CaptionsTrack } from './CaptionControls';
import { followCaptions, keepCaptions, showCaptions, wantsCaptions } from './captions';
import { attachStream, type Stream } from './hls';
import { SoundIcon } from './icons';
import { resized } from './Picture';
import { PlayerGate } from './PlayerGate';
import { chosenQuality, keepQuality, QUALITIES, type Quality } from './quality';
import { leaveAt, leftAt } from './resume';
import './player.css';
import './watch.css';

type Props = {
  source: string;
  poster: string;
  title: string;
  /** Address of a WebVTT file. */
  captions?: string | undefined;
};

/** Pixels. */
const POSTER_WIDTH = 960;

/** Seconds after which nobody wants to start over any more. */
const ENOUGH_S = 10;

export function Player({ source, poster, title, captions }: Props) {
  const session = useSession();
  const [refused, setRefused] = useState<number | null>(null);
  const onRefused = useCallback((status: number) => setRefused(status), []);
  const choices = captions !== undefined || isStream(source);
  if (session === undefined) return <Undecided poster={poster} choices={choices} />;
  // Without a live session the media would only answer 401 or 403: no need to ask it.
  const expected =
    session === null ? 401 : session !== 'unreachable' && session.state !== 'active' ? 403 : null;
  const status = refused ?? expected;
  if (status) return <PlayerGate status={status} poster={poster} />;
  return (
    <Video
      key={source}
      source={withDomain(source)}
      poster={poster}
      title={title}
      captions={captions && withDomain(captions)}
      onRefused={onRefused}
    />
  );
}

/** The video's own poster and the room of what is below it, so that nothing moves when the video takes its place. */
function Undecided({ poster, choices }: { poster: string; choices: boolean }) {
  return (
    <>
      <div className="player ratio" aria-busy="true">
        <img
          className="picture"
          src={resized(poster, POSTER_WIDTH)}
          alt=""
          width={POSTER_WIDTH}
          height={540}
          fetchPriority="high"
        />
      </div>
      {choices && <div className="player-choices" />}
    </>
  );
}

const isStream = (source: string): boolean => /\.m3u8(\?|$)/.test(source);

type VideoProps = Props & { onRefused: (status: number) => void };

function Video({ source, poster, title, captions, onRefused }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const stream = useRef<Stream>(null);
  const watched = useRef({ at: 0, seconds: 0 });
  const [quality, setQuality] = useState(chosenQuality);
  const [silenced, setSilenced] = useState(false);
  const [playing, setPlaying] = useState(false);
  const [resumed, setResumed] = useState(false);
  const [captioned, setCaptioned] = useState(wantsCaptions);

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    let gone = false;
    const start = async () => {
      if (isStream(source)) {
        const attached = await attachStream(video, source, chosenQuality);
        if (gone) return attached.detach();
        stream.current = attached;
      } else {
        video.src = source;
      }
      await playWithSoundIfAllowed(video, () => setSilenced(true));
    };
    start().catch(error => console.info('Video does not start by itself', error));
    const leave = () => leaveAt(source, video.currentTime, video.duration);
    window.addEventListener('pagehide', leave);
    return () => {
      gone = true;
      leave();
      window.removeEventListener('pagehide', leave);
      stream.current?.detach();
      video.removeAttribute('src');
      video.load();
    };
  }, [source]);

  useEffect(() => {
    const video = element.current;
    if (!video || !captions) return;
    return followCaptions(video, shown => {
      setCaptioned(shown);
      keepCaptions(shown);
    });
  }, [captions]);

  /** Back to where this phone left the video. */
  const resume = (video: HTMLVideoElement) => {
    const second = leftAt(source);
    if (second === 0 || second >= video.duration) return;
    video.currentTime = second;
    setResumed(true);
  };

  const choose = (wanted: Quality) => {
    setQuality(wanted);
    keepQuality(wanted);
    stream.current?.setQuality?.(wanted);
  };

  /** Counts what was played, not what was skipped over. */
  const track = (video: HTMLVideoElement) => {
    const step = video.currentTime - watched.current.at;
    watched.current.at = video.currentTime;
    if (step > 0 && step < 2) watched.current.seconds += step;
    if (watched.current.seconds > ENOUGH_S) setResumed(false);
    if (box.current) box.current.dataset.playedSeconds = String(Math.floor(watched.current.seconds));
  };

  const failed = async (video: HTMLVideoElement) => {
    if (!video.currentSrc) return;
    console.info('Video error', video.error?.code, video.error?.message);
    try {
      const { status } = await fetch(source, { method: 'HEAD', credentials: 'same-origin' });
      if (status === 401 || status === 403) onRefused(status);
    } catch (error) {
      console.info('Video unreachable', error);
    }
  };

  return (
    <>
      <div ref={box} className="player ratio" data-playing={playing}>
        {/* biome-ignore lint/a11y/useMediaCaption: where a video has captions, CaptionsTrack is their track */}
        <video
          ref={element}
          aria-label={title}
          poster={resized(poster, POSTER_WIDTH)}
          controls
          controlsList="nodownload"
          autoPlay
          loop
          playsInline
          preload="metadata"
          onPlay={() => setPlaying(true)}
          onPause={event => {
            setPlaying(false);
            leaveAt(source, event.currentTarget.currentTime, event.currentTarget.duration);
          }}
          onLoadedMetadata={event => resume(event.currentTarget)}
          onVolumeChange={event => event.currentTarget.muted || setSilenced(false)}
          onTimeUpdate={event => track(event.currentTarget)}
          onError={event => failed(event.currentTarget)}
        >
          {captions && <CaptionsTrack address={captions} />}
        </video>
        {silenced && (
          <button
            type="button"
            className="player-sound"
            onClick={() => {
              const video = element.current;
              if (!video) return;
              video.muted = false;
              setSilenced(false);
              video.play().catch(error => console.info('Sound refused', error));
            }}
          >
            <SoundIcon />
            Tap for sound
          </button>
        )}
        {resumed && (
          <button
            type="button"
            className="player-again"
            onClick={() => {
              if (element.current) element.current.currentTime = 0;
              setResumed(false);
            }}
          >
            <BackIcon />
            Start over
          </button>
        )}
      </div>
      {(captions || isStream(source)) && (
        <div className="player-choices">
          {captions && (
            <CaptionsButton
              shown={captioned}
              onClick={() => element.current && showCaptions(element.current, !captioned)}
            />
          )}
          {isStream(source) && <QualityChoice quality={quality} onChoose={choose} />}
        </div>
      )}
    </>
  );
}

function QualityChoice({ quality, onChoose }: { quality: Quality; onChoose: (quality: Quality) => void }) {
  return (
    <label className="player-quality">
      Quality
      <select
        className="field"
        value={quality}
        onChange={({ target }) => onChoose(QUALITIES.find(([name]) => name === target.value)?.[0] ?? 'auto')}
      >
        {QUALITIES.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Browsers refuse sound before the first tap on a page; then the video starts silent. */
async function playWithSoundIfAllowed(video: HTMLVideoElement, silenced: () => void): Promise<void> {
  try {
    await video.play();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') throw error;
    video.muted = true;
    silenced();
    await video.play();
  }
}
