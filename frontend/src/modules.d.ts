/** Declarations for imports without types, and for a constant of the build. */
declare module '*.css';

/** True only in the build for server rendering. Browser builds drop the content of `noscript` elements. */
declare const SERVER_RENDERING: boolean;

declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
