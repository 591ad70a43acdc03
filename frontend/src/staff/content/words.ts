/** Every text of the content screens, and the names of what the services have. */
import { words as all, wordFor } from '../words';

/** The browser's name of a language, so that another language needs no text here. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames(all.locale, { type: 'language' }).of(code) ?? code;

export const words = {
  ...all.content,
  kindName: (kind: string) => wordFor(all.content.kinds, kind),
  oneOf: (kind: string) => wordFor(all.content.oneOf, kind),
  fieldName: (field: string) => {
    const [name = '', language] = field.split('.');
    const text = wordFor(all.content.fields, name);
    return language === undefined
      ? text
      : all.content.list.translation({ text, language: languageName(language) });
  },
};
