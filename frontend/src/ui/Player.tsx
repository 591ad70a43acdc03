/** The looping player. Who may not have the video sees the way in instead of a broken player. */
import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { withDomain } from '../host';
import { useSession } from '../session';
import { BackIcon } from './BackIcon';
import { CaptionsButton, CaptionsTrack } from './CaptionControls';
import { followCaptions, keepCaptions, showCaptions, wantsCaptions } from './captions';
import { SoundIcon } from './icons';
import { resized } from './Picture';
import { PlainVideo } from './PlainVideo';
import { PlayerGate } from './PlayerGate';
import { isStream, usePlayback } from './playback';
import { chosenQuality, keepQuality, QUALITIES, type Quality } from './quality';
import type { Film } from './resume';
import type { NextVideo } from './UpNext';
import './player.css';
import './watch.css';

type Props = {
  source: string;
  poster: string;
  title: string;
  /** Address of a WebVTT file. */
  captions?: string | undefined;
  /** What it weighs. */
  bytes: number;
  artist: string;
  /** Where the home page offers what was begun. */
  film?: Film;
  /** What is offered at its end. */
  next: RefObject<NextVideo | undefined>;
};

/** Pixels. */
const POSTER_WIDTH = 960;

/** Seconds after which nobody wants to start over any more. */
const ENOUGH_S = 10;

export function Player({ source, captions, ...props }: Props) {
  const { poster, title } = props;
  const session = useSession();
  const [refused, setRefused] = useState<number | null>(null);
  const onRefused = useCallback((status: number) => setRefused(status), []);
  const choices = captions !== undefined || isStream(source);
  if (session === undefined) {
    return (
      <Undecided poster={poster} choices={choices}>
        {SERVER_RENDERING && <PlainVideo source={source} poster={poster} title={title} captions={captions} />}
      </Undecided>
    );
  }
  // Without a live session the media would only answer 401 or 403: no need to ask it.
  const expected =
    session === null ? 401 : session !== 'unreachable' && session.state !== 'active' ? 403 : null;
  const status = refused ?? expected;
  if (status) return <PlayerGate status={status} poster={poster} />;
  return (
    <Video
      key={source}
      {...props}
      source={withDomain(source)}
      captions={captions && withDomain(captions)}
      onRefused={onRefused}
    />
  );
}

/** The video's own poster and the room of what is below it, so that nothing moves when the video takes its place. */
function Undecided({ poster, choices, children }: { poster: string; choices: boolean; children: ReactNode }) {
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
        <noscript>{children}</noscript>
      </div>
      {choices && <div className="player-choices" />}
    </>
  );
}

type VideoProps = Props & { onRefused: (status: number) => void };

/** What stands over a film once it plays, or once the cap has stopped it. None of it is fetched before. */
const loadOffers = () => import(/* webpackChunkName: "player-offers" */ './PlayerOffers');
type Offers = Awaited<ReturnType<typeof loadOffers>>;

function Video({ source, poster, title, captions, bytes, artist, next, film, onRefused }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const watched = useRef({ at: 0, seconds: 0 });
  const [quality, setQuality] = useState(chosenQuality);
  const [silenced, setSilenced] = useState(false);
  const [playing, setPlaying] = useState(false);
  const [resumed, setResumed] = useState(false);
  const [offers, setOffers] = useState<Offers>();
  const [captioned, setCaptioned] = useState(wantsCaptions);

  const playback = usePlayback(element, source, {
    bytes,
    film,
    onRefused,
    onSilenced: () => setSilenced(true),
    onResumed: () => setResumed(true),
  });

  const offering = playing || playback.capped;
  useEffect(() => {
    if (!offering) return;
    loadOffers().then(setOffers, error => console.info('Only the film', error));
  }, [offering]);

  useEffect(() => {
    const video = element.current;
    if (!video || !captions) return;
    return followCaptions(video, shown => {
      setCaptioned(shown);
      keepCaptions(shown);
    });
  }, [captions]);

  const choose = (wanted: Quality) => {
    setQuality(wanted);
    keepQuality(wanted);
    playback.stream.current?.setQuality?.(wanted);
  };

  /** Counts what was played, not what was skipped over. */
  const track = ({ currentTarget: video }: SyntheticEvent<HTMLVideoElement>) => {
    playback.progressed(video.currentTime);
    const step = video.currentTime - watched.current.at;
    watched.current.at = video.currentTime;
    if (step > 0 && step < 2) watched.current.seconds += step;
    if (watched.current.seconds > ENOUGH_S) setResumed(false);
    if (box.current) box.current.dataset.playedSeconds = String(Math.floor(watched.current.seconds));
  };

  return (
    <>
      <div ref={box} className="player ratio" data-playing={playing}>
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
          onPlay={() => {
            setPlaying(true);
          }}
          onPause={event => {
            setPlaying(false);
            playback.rememberPlace(event.currentTarget);
          }}
          onVolumeChange={event => event.currentTarget.muted || setSilenced(false)}
          onTimeUpdate={track}
          {...playback.events}
        >
          {captions && <CaptionsTrack address={captions} />}
        </video>
        {offers && element.current && (
          <offers.PlayerOffers
            video={element.current}
            title={title}
            artist={artist}
            poster={poster}
            next={next}
            capped={playback.capped}
          />
        )}
        {playback.lost && <Lost onAgain={playback.tryAgain} />}
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

/** Not an alert: nothing is wrong with the page, and the visitor need not do anything. */
function Lost({ onAgain }: { onAgain: () => void }) {
  return (
    <div className="player-lost" role="status">
      <p>Waiting for the connection. The video goes on by itself.</p>
      <button type="button" className="button" onClick={onAgain}>
        Try again
      </button>
    </div>
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
