/** Attaches a stream address to a video element. hls.js is large: it is fetched for `.m3u8` alone. */

/** Answers how to detach. */
export async function attachStream(video: HTMLVideoElement, address: string): Promise<() => void> {
  const playNatively = () => {
    video.src = address;
  };
  // Where MediaSource is managed (Safari), native HLS is sound; Chrome's own is not to be trusted.
  if ('ManagedMediaSource' in window && video.canPlayType('application/vnd.apple.mpegurl')) {
    playNatively();
    return () => undefined;
  }
  const { default: Hls } = await import(/* webpackChunkName: "hls" */ 'hls.js/light');
  if (!Hls.isSupported()) {
    playNatively();
    return () => undefined;
  }
  const hls = new Hls({
    capLevelToPlayerSize: true,
    // Its worker starts from a blob address, which a strict content security policy forbids.
    enableWorker: false,
  });
  hls.on(Hls.Events.ERROR, (_event, data) => {
    console.info('Stream error', data.type, data.details);
    if (!data.fatal) return;
    hls.destroy();
    // The element's own error then tells the player whether access was refused.
    playNatively();
  });
  hls.loadSource(address);
  hls.attachMedia(video);
  return () => hls.destroy();
}
