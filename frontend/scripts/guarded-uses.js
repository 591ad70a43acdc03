/**
 * What the built files use although a browser of the floor lacks it: how often, and why it does no harm there. A new entry or a higher number
 * needs a reason that a test or the code shows; a lower number is asked for as soon as a use is gone.
 */
const inReact = uses => ({
  uses,
  why: 'React: only where it has found document.startViewTransition, or `typeof` says that it is there',
});
const byUs = uses => ({ uses, why: 'The line before it looks for it, or catches its absence' });
const ownMethod = (uses, library) => ({ uses, why: `A method of ${library}, not of the browser` });

export const GUARDED = {
  sites: {
    '.at()': { uses: 2, why: 'web-vitals: src/sites/polyfills.ts' },
    'Promise.allSettled': {
      uses: 2,
      why: 'Workbox: src/sites/polyfills.ts; React: after document.startViewTransition',
    },
    ResizeObserver: { uses: 2, why: 'Swiper and ui/list-window.ts look for it in window' },
    SharedArrayBuffer: { uses: 2, why: 'hls.js: after `typeof`, in the page and in its worker' },
    '.getVideoPlaybackQuality()': { uses: 1, why: 'hls.js: looks for it on the video' },
    '.randomUUID()': { uses: 1, why: 'hls.js: catches its absence' },
    PerformanceEventTiming: { uses: 1, why: 'web-vitals: after globalThis.PerformanceEventTiming' },
    reportError: inReact(2),
    '.startViewTransition()': inReact(1),
    '.getKeyframes()': inReact(1),
    '.setKeyframes()': inReact(2),
    '.skipTransition()': inReact(1),
    navigation: inReact(9),
    setImmediate: inReact(1),
    MediaMetadata: byUs(1),
    '.setActionHandler()': byUs(1),
    '.exitPictureInPicture()': byUs(1),
    '.requestPictureInPicture()': byUs(1),
    'Intl.DisplayNames': byUs(1),
    '.share()': byUs(2),
    '.writeText()': byUs(2),
    BroadcastChannel: byUs(1),
    '.requestIdleCallback()': byUs(1),
    '.showModal()': byUs(2),
  },
  backoffice: {
    'Uint8Array.fromBase64': { uses: 2, why: 'zod: after `typeof`' },
    'Error.captureStackTrace': { uses: 1, why: 'zod: after `in`' },
    'URL.canParse': { uses: 2, why: 'React Router: after `typeof`' },
    '.startViewTransition()': { uses: 3, why: 'React and react-router: after document.startViewTransition' },
    '.skipTransition()': { uses: 3, why: 'React and react-router: of a transition that has started' },
    '.override()': { uses: 1, why: "zod's own option" },
    navigation: inReact(9),
    setImmediate: inReact(1),
    'PublicKeyCredential.parseRequestOptionsFromJSON': byUs(1),
    'PublicKeyCredential.parseCreationOptionsFromJSON': byUs(1),
    '.when()': ownMethod(2, 'zod'),
    '.clamp()': ownMethod(1, 'uPlot'),
    '.range()': ownMethod(5, 'uPlot'),
    '.space()': ownMethod(1, 'uPlot'),
  },
};
