/** Every text of the content screens, and the names of what the services have. */
import { words as all, wordFor } from '../words';

export const words = {
  ...all.content,
  kindName: (kind: string) => wordFor(all.content.kinds, kind),
  oneOf: (kind: string) => wordFor(all.content.oneOf, kind),
  fieldName: (field: string) => wordFor(all.content.fields, field),
};
