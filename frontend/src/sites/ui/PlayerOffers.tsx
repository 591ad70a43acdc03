/**
 * The overlays and extras of a video that plays or was stopped: the next film at the end, Media Session, picture in picture, and the notice
 * at the data cap. Loaded when they are needed.
 */

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { getSessionItem, setSessionItem } from '../../shared/session-storage';
import { learnTaste } from '../taste';
import { CapReached } from './CapReached';
import { wantsLessData, wantsLessMotion } from './device';
import { connectMediaSession } from './media-session';
import { LOOPED } from './playback';
import { type NextVideo, UpNext } from './UpNext';

type Props = {
  element: RefObject<HTMLVideoElement | null>;
  title: string;
  artist: string;
  poster: string;
  /** What taste.ts calls its artist or category. */
  taste: string;
  /** Set when the related videos have loaded. */
  next: NextVideo | undefined;
  /** The data cap has stopped the video. */
  capped: boolean;
};

/** The most films that start in sequence without a touch, so that an unattended phone stops playing. */
const MAX_AUTOPLAY = 3;
let autoplayCount = 0;

/** Session storage key, set when the visitor chose "Stay here": in this tab no film starts by itself any more. */
const STAYED = 'up-next.stayed';

export function PlayerOffers({ element, title, artist, poster, taste, next, capped }: Props) {
  const navigate = useNavigate();
  const [offer, setOffer] = useState<{ next: NextVideo; counts: boolean; takesFocus: boolean }>();
  const stays = useRef(false);

  const onNext = useEffectEvent(() => next && navigate(next.to));
  const onLoop = useEffectEvent((video: HTMLVideoElement) => {
    if (stays.current || !next) return;
    const busy = isBusy(video);
    const counts = !busy && mayStartByItself(video);
    setOffer(before => before ?? { next, counts, takesFocus: !busy });
  });
  useEffect(() => {
    const video = element.current;
    if (!video) return;
    const looped = () => onLoop(video);
    video.addEventListener(LOOPED, looped);
    return () => video.removeEventListener(LOOPED, looped);
  }, [element]);

  useEffect(() => {
    const video = element.current;
    const watched = () => learnTaste(taste, 'watched');
    video?.addEventListener(LOOPED, watched, { once: true });
    return () => video?.removeEventListener(LOOPED, watched);
  }, [element, taste]);

  useEffect(() => {
    const video = element.current;
    return video ? connectMediaSession(video, { title, artist, poster }, () => onNext()) : undefined;
  }, [element, title, artist, poster]);

  useEffect(() => {
    const resetCount = () => {
      autoplayCount = 0;
    };
    document.addEventListener('pointerdown', resetCount);
    document.addEventListener('keydown', resetCount);
    return () => {
      document.removeEventListener('pointerdown', resetCount);
      document.removeEventListener('keydown', resetCount);
    };
  }, []);

  if (capped) return <CapReached />;
  return (
    <>
      {offer && (
        <UpNext
          {...offer}
          onStart={() => {
            autoplayCount += 1;
            navigate(offer.next.to);
          }}
          onStay={() => {
            stays.current = true;
            setSessionItem(STAYED, 'yes');
            setOffer(undefined);
            element.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </>
  );
}

/** Whether the visitor uses another part of the page: then the page does not change and the focus does not move. */
function isBusy(video: HTMLVideoElement): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused !== video && !focused.matches('h1');
}

const mayStartByItself = (video: HTMLVideoElement): boolean =>
  !wantsLessData() &&
  !wantsLessMotion() &&
  autoplayCount < MAX_AUTOPLAY &&
  getSessionItem(STAYED) === '' &&
  document.visibilityState === 'visible' &&
  !document.fullscreenElement &&
  !document.pictureInPictureElement &&
  video.getBoundingClientRect().bottom > 0;

export async function toggleSmallWindow(video: HTMLVideoElement): Promise<void> {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await video.requestPictureInPicture();
  } catch (error) {
    console.info('No picture in picture', error);
  }
}
