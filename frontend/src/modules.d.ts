/** What the build knows and TypeScript does not: imports without types of their own, and a constant. */
declare module '*.css';

/** True in the script for server rendering alone, so that browsers do not load what only stands in `noscript` elements. */
declare const SERVER_RENDERING: boolean;

declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
