/** Media Session: metadata and actions for the phone's controls (lock screen, headphones, keyboard). */
import { brand } from '../brand';
import { resized } from './Picture';

type Playing = { title: string; artist: string; poster: string };

/** Seconds per seek step, if the action has no offset. */
const STEP_S = 10;

/** Returns the function that disconnects the video. */
export function connectMediaSession(
  video: HTMLVideoElement,
  playing: Playing,
  onNext: () => void,
): () => void {
  const { mediaSession } = navigator;
  if (!mediaSession || !('MediaMetadata' in window)) return () => undefined;
  const { title, artist, poster } = playing;
  mediaSession.metadata = new MediaMetadata({
    title,
    artist,
    album: brand().name,
    artwork: [320, 640].map(width => ({
      src: new URL(resized(poster, width), window.location.href).href,
      sizes: `${width}x${(width * 9) / 16}`,
      type: 'image/webp',
    })),
  });

  const step = (seconds: number) => {
    video.currentTime = Math.min(Math.max(video.currentTime + seconds, 0), video.duration || 0);
  };
  const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => void video.play().catch(error => console.info('Video does not start', error))],
    ['pause', () => video.pause()],
    ['seekbackward', ({ seekOffset }) => step(-(seekOffset ?? STEP_S))],
    ['seekforward', ({ seekOffset }) => step(seekOffset ?? STEP_S)],
    [
      'seekto',
      ({ seekTime }) => {
        if (seekTime !== undefined) video.currentTime = seekTime;
      },
    ],
    ['nexttrack', onNext],
  ];
  const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
    try {
      mediaSession.setActionHandler(action, handler);
    } catch {
      // The browser does not support the action.
    }
  };
  for (const [action, handler] of handlers) set(action, handler);

  const updatePosition = () => {
    const { duration, playbackRate, currentTime } = video;
    if (!(duration > 0 && duration < Number.POSITIVE_INFINITY)) return;
    mediaSession.setPositionState?.({ duration, playbackRate, position: Math.min(currentTime, duration) });
  };
  const changes = ['play', 'pause', 'seeked', 'ratechange', 'durationchange'];
  for (const change of changes) video.addEventListener(change, updatePosition);
  updatePosition();

  return () => {
    for (const change of changes) video.removeEventListener(change, updatePosition);
    for (const [action] of handlers) set(action, null);
    mediaSession.metadata = null;
  };
}
