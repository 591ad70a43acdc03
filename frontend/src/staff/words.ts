/** Every text of the back office, from languages/backoffice: a file that the page loads before the application. */
import type { Words } from './word-types';

declare const WORDS: Words;

export const words = WORDS;

/** The text of a key that the server sends, or the key itself where it is new. */
export const wordFor = (texts: Record<string, string>, key: string): string => texts[key] ?? key;
