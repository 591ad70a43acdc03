/**
 * What a player offers once it plays or has been stopped, fetched then: the next film at the end, the phone's own controls, a small window,
 * and the way on at the cap.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { recall, remember } from '../tab-memory';
import { CapReached } from './CapReached';
import { wantsLessData, wantsLessMotion } from './device';
import { SmallWindowIcon } from './icons';
import { controlBySystem } from './media-session';
import { type NextVideo, UpNext } from './UpNext';

type Props = {
  video: HTMLVideoElement;
  title: string;
  artist: string;
  poster: string;
  /** Known as soon as the related videos are there. */
  next: RefObject<NextVideo | undefined>;
  /** The cap on data has stopped it. */
  capped: boolean;
};

/** Films that start by themselves one after another: a phone that lies on a table does not go on for ever. */
const MOST_IN_A_ROW = 3;
let inARow = 0;

/** What the tab remembers once somebody has chosen to stay: nothing starts by itself any more. */
const STAYED = 'up-next.stayed';

/** Seconds: from within this much of the end to within this much of the beginning, a film has ended and begins anew. */
const EDGE_S = 1.5;

export function PlayerOffers({ video, title, artist, poster, next, capped }: Props) {
  const navigate = useNavigate();
  const [offer, setOffer] = useState<{ next: NextVideo; counts: boolean; takesFocus: boolean }>();
  const stays = useRef(false);

  const start = useCallback(() => next.current && navigate(next.current.to), [navigate, next]);

  useEffect(
    () =>
      onceAround(video, () => {
        if (stays.current || !next.current) return;
        const busy = isBusy(video);
        const counts = !busy && mayStartByItself(video);
        setOffer(before => before ?? { next: next.current as NextVideo, counts, takesFocus: !busy });
      }),
    [video, next],
  );

  useEffect(
    () => controlBySystem(video, { title, artist, poster }, start),
    [video, title, artist, poster, start],
  );

  useEffect(() => {
    const touched = () => {
      inARow = 0;
    };
    document.addEventListener('pointerdown', touched);
    document.addEventListener('keydown', touched);
    return () => {
      document.removeEventListener('pointerdown', touched);
      document.removeEventListener('keydown', touched);
    };
  }, []);

  const startByItself = useCallback(() => {
    inARow += 1;
    start();
  }, [start]);

  if (capped) return <CapReached />;
  return (
    <>
      {document.pictureInPictureEnabled && !offer && (
        <button
          type="button"
          className="player-small"
          aria-label="Picture in picture"
          onClick={() => toggleSmallWindow(video)}
        >
          <SmallWindowIcon />
        </button>
      )}
      {offer && (
        <UpNext
          {...offer}
          onStart={startByItself}
          onStay={() => {
            stays.current = true;
            remember(STAYED, 'yes');
            setOffer(undefined);
            video.focus({ preventScroll: true });
          }}
        />
      )}
    </>
  );
}

/** The player loops, so there is no `ended`. */
function onceAround(video: HTMLVideoElement, told: () => void): () => void {
  let before = 0;
  const look = () => {
    const { currentTime, duration } = video;
    if (before > duration - EDGE_S && currentTime < EDGE_S && before > currentTime) told();
    before = currentTime;
  };
  video.addEventListener('timeupdate', look);
  return () => video.removeEventListener('timeupdate', look);
}

/** Somebody who is using another part of the page is neither led away from it nor moved to another place of it. */
function isBusy(video: HTMLVideoElement): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused !== video && !focused.matches('h1');
}

const mayStartByItself = (video: HTMLVideoElement): boolean =>
  !wantsLessData() &&
  !wantsLessMotion() &&
  inARow < MOST_IN_A_ROW &&
  recall(STAYED) === '' &&
  document.visibilityState === 'visible' &&
  !document.fullscreenElement &&
  !document.pictureInPictureElement &&
  video.getBoundingClientRect().bottom > 0;

async function toggleSmallWindow(video: HTMLVideoElement): Promise<void> {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await video.requestPictureInPicture();
  } catch (error) {
    console.info('No picture in picture', error);
  }
}
