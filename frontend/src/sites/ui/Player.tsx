/** The looping video player. Visitors without access see how to join instead (PlayerGate.tsx). */

import {
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { withDomain } from '../host';
import { useHydrated } from '../hydration';
import { langOf, t } from '../messages';
import { isOpen, useSession } from '../session';
import { BackIcon } from './BackIcon';
import { CaptionsButton, CaptionsTrack } from './CaptionControls';
import { onCaptionsChange, saveCaptionsChoice, showCaptions, wantsCaptions } from './captions';
import { SmallWindowIcon } from './icons';
import { resized } from './Picture';
import { PlainVideo } from './PlainVideo';
import { PlayerGate } from './PlayerGate';
import { ConnectionLost, SoundButton } from './PlayerNotices';
import { type Choice, PlayerSettings, QualityChoice } from './PlayerSettings';
import { isStream, soundBytes } from './playback';
import { chosenQuality, saveQuality } from './quality';
import type { Film } from './resume';
import { SaveButton, type Saving } from './SaveButton';
import { canSave, isSaved } from './saved-list';
import type { NextVideo } from './UpNext';
import { usePlayback } from './use-playback';
import './player.css';
import './watch.css';
import { Plain } from './Plain';

type Props = {
  source: string;
  poster: string;
  title: string;
  /** Address of a WebVTT file. */
  captions?: string | undefined;
  /** The size of the file. */
  bytes: number;
  artist: string;
  /** What taste.ts calls the artist or category. */
  taste: string;
  /** Set if the home page has a "Continue watching" row. */
  film?: Film;
  /** The next films, which can be saved with it. */
  row?: Saving[];
  /** Offered at the end of the video. */
  next: NextVideo | undefined;
  /** Below the title, where the settings stand. */
  settings: HTMLElement | null;
};

/** Pixels. */
const POSTER_WIDTH = 960;

/** Seconds of playing after which "Start over" is hidden. */
const START_OVER_S = 10;

export function Player({ source, captions, ...props }: Props) {
  const { poster, title } = props;
  const session = useSession();
  const [refused, setRefused] = useState<number | null>(null);
  const onRefused = useCallback((status: number) => setRefused(status), []);
  const hydrated = useHydrated(() => true, false);
  // Without an active session the media request returns 401 or 403, so it is not sent.
  const expected = session === null ? 401 : isOpen(session) && session.state !== 'active' ? 403 : null;
  const status = refused ?? expected;
  if (status) return <PlayerGate status={status} poster={poster} />;
  if (session === undefined || !hydrated) {
    return (
      <Placeholder poster={poster}>
        {SERVER_RENDERING && (
          <PlainVideo
            source={source}
            poster={poster}
            title={title}
            lang={langOf(props.film?.lang)}
            captions={captions}
          />
        )}
      </Placeholder>
    );
  }
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

/** The poster until the session is known. */
function Placeholder({ poster, children }: { poster: string; children: ReactNode }) {
  return (
    <div className="player ratio" aria-busy="true">
      <img
        className="picture"
        src={resized(poster, POSTER_WIDTH)}
        alt=""
        width={POSTER_WIDTH}
        height={540}
        fetchPriority="high"
      />
      <Plain>{children}</Plain>
    </div>
  );
}

type VideoProps = Props & { onRefused: (status: number) => void };

/** The overlays of a playing or capped video. They are loaded on demand. */
const loadOffers = () => import('./PlayerOffers');
type Offers = Awaited<ReturnType<typeof loadOffers>>;

function Video({
  source,
  poster,
  title,
  captions,
  bytes,
  artist,
  taste,
  next,
  film,
  row = [],
  settings,
  onRefused,
}: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const watched = useRef({ at: 0, seconds: 0 });
  const [choice, setChoice] = useState<Choice>(chosenQuality);
  const [sound, setSound] = useState<number>();
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

  const capped = playback.state === 'capped';
  const offering = playing || capped;
  useEffect(() => {
    if (!offering) return;
    loadOffers().then(setOffers, error => console.info('Player overlays could not be loaded', error));
  }, [offering]);

  useEffect(() => {
    const video = element.current;
    if (!video || !captions) return;
    return onCaptionsChange(video, shown => {
      setCaptioned(shown);
      saveCaptionsChoice(shown);
    });
  }, [captions]);

  const track = useCaptions(source, captions);
  const hasSettings = Boolean(captions) || isStream(source) || document.pictureInPictureEnabled;
  const choose = (chosen: Choice) => {
    setChoice(chosen);
    if (chosen === 'sound') return playback.playSoundAlone(sound ?? 0);
    saveQuality(chosen);
    if (choice === 'sound') playback.playSoundAlone(0);
    else playback.setQuality(chosen);
  };
  const findSound = () => {
    if (isStream(source) && !sound) soundBytes(source).then(setSound);
  };
  const onLost = useEffectEvent(findSound);
  const lost = playback.state === 'lost';
  useEffect(() => {
    if (lost) onLost();
  }, [lost]);

  /** Counts played seconds, without skipped parts. */
  const countPlayed = ({ currentTarget: video }: SyntheticEvent<HTMLVideoElement>) => {
    const step = video.currentTime - watched.current.at;
    watched.current.at = video.currentTime;
    if (step > 0 && step < 2) watched.current.seconds += step;
    if (watched.current.seconds > START_OVER_S) setResumed(false);
    if (box.current) box.current.dataset.playedSeconds = String(Math.floor(watched.current.seconds));
  };

  return (
    <>
      <div ref={box} className="player ratio" data-playing={playing}>
        {/* biome-ignore lint/a11y/useMediaCaption: CaptionsTrack is the track */}
        <video
          ref={element}
          aria-label={title}
          lang={langOf(film?.lang)}
          poster={resized(poster, POSTER_WIDTH)}
          controls
          controlsList="nodownload"
          autoPlay
          loop
          playsInline
          preload="metadata"
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onVolumeChange={event => event.currentTarget.muted || setSilenced(false)}
          onTimeUpdate={countPlayed}
        >
          {captions && track && <CaptionsTrack address={captions} source={track} />}
        </video>
        {offers && (
          <offers.PlayerOffers
            element={element}
            title={title}
            artist={artist}
            poster={poster}
            taste={taste}
            next={next}
            capped={capped}
          />
        )}
        {lost && (
          <ConnectionLost
            onAgain={playback.tryAgain}
            soundBytes={choice === 'sound' ? 0 : sound}
            onSoundAlone={() => choose('sound')}
          />
        )}
        {(playback.state === 'unplayable' || playback.state === 'expired') && (
          <p className="player-lost" role="status">
            {t(playback.state === 'expired' ? 'saved-expired' : 'unplayable')}
          </p>
        )}
        {silenced && <SoundButton element={element} onSound={() => setSilenced(false)} />}
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
            {t('start-over')}
          </button>
        )}
      </div>
      {settings &&
        film &&
        isStream(source) &&
        canSave() &&
        createPortal(
          <SaveButton
            source={source}
            film={film}
            captions={captions}
            row={row.filter(each => isStream(each.source))}
          />,
          settings,
        )}
      {settings &&
        hasSettings &&
        createPortal(
          <PlayerSettings onOpen={findSound}>
            {captions && (
              <CaptionsButton
                shown={captioned}
                onClick={() => element.current && showCaptions(element.current, !captioned)}
              />
            )}
            {offers && document.pictureInPictureEnabled && (
              <button
                type="button"
                className="mark"
                onClick={() => element.current && offers.toggleSmallWindow(element.current)}
              >
                <SmallWindowIcon />
                {t('small-window')}
              </button>
            )}
            {isStream(source) && <QualityChoice choice={choice} soundBytes={sound ?? 0} onChoose={choose} />}
          </PlayerSettings>,
          settings,
        )}
    </>
  );
}

/** The address that the captions are read from: of a saved film, those on this phone. */
function useCaptions(source: string, captions: string | undefined): string | undefined {
  const [saved, setSaved] = useState<string>();
  const [isHere] = useState(() => captions !== undefined && isSaved(source));
  useEffect(() => {
    if (!isHere || !captions) return;
    import(/* webpackChunkName: "saved-open" */ '../saved/open-saved')
      .then(({ openSavedCaptions }) => openSavedCaptions(source, captions))
      .then(address => setSaved(address ?? captions), console.info);
  }, [isHere, source, captions]);
  return isHere ? saved : captions;
}
