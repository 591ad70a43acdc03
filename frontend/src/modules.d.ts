/** Imports that carry no types of their own. */
declare module '*.css';

declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
