/** The texts of the sites in the visitor's language, from languages/*.toml. A page loads the file of one language. */
import type { Messages, TermsId } from './message-types';
import { serverInput } from './server-input';

type Values = Record<string, string | number>;
export type Catalogue = Record<keyof Messages, string | ((values: Values) => string)>;
/** The terms, with the names of the months for their date. */
export type Terms = Record<TermsId | 'months', string>;
export type MessageId = { [Id in keyof Messages]: Messages[Id] extends null ? Id : never }[keyof Messages];

/** A variable of the page's language file, which runs before the application. */
declare const MESSAGES: Catalogue;

/** The text of a message. Call it while rendering, not while a module loads: the server renders every language. */
export function t<Id extends keyof Messages>(
  id: Id,
  ...[values]: Messages[Id] extends null ? [] : [values: Messages[Id]]
): string {
  const message = (serverInput()?.messages ?? MESSAGES)[id];
  return typeof message === 'string' ? message : message(values as Values);
}

/**
 * The `lang` of a text of the catalogue, by the language that the reply names for a translation: others are English. None where it is the
 * page's own (WCAG 3.1.2).
 */
export function langOf(translation: string | undefined): string | undefined {
  const language = translation ?? 'en';
  return language === t('lang') ? undefined : language;
}

/** A number with this many digits after the language's decimal sign. Intl would differ between the server and phones without the language. */
export const decimal = (value: number, digits: number): string =>
  value.toFixed(digits).replace('.', t('decimal'));
