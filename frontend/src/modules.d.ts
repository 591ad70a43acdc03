/** Declarations for imports without types, and for a constant of the build. */
declare module '*.css';

/** The texts of the back office. */
declare module '*/backoffice/en.toml' {
  const words: import('./staff/word-types').Words;
  export default words;
}
/** A language, compiled by scripts/languages.js. */
declare module '*.toml' {
  const messages: import('./sites/messages').Catalogue;
  export default messages;
}
declare module '*.toml?pseudo' {
  const messages: import('./sites/messages').Catalogue;
  export default messages;
}
/** The address of a file; in server rendering its content, the terms. */
declare module '*.toml?pseudo&terms' {
  const address: string;
  export default address;
}

/** Codes and names of the languages that a visitor can choose. */
declare const LANGUAGES: [code: string, name: string][];

interface ImportMeta {
  /** webpack: the modules of a folder. */
  webpackContext(
    folder: string,
    options: { recursive: boolean; regExp: RegExp },
  ): ((file: string) => { default: unknown }) & { keys(): string[] };
}

/** True only in the build for server rendering. Browser builds drop what only plain pages have (ui/Plain.tsx). */
declare const SERVER_RENDERING: boolean;

declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
