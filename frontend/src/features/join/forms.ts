/** The texts of the join forms. */
import { brand } from '../../brand';

export type FormName = 'welcome' | 'meme' | 'vod';

type FormTexts = {
  eyebrow?: string;
  heading: string;
  tagline?: string;
  label: string;
  placeholder: string;
  digitsOnly: boolean;
};

const EXAMPLE = 'Enter your phone number : eg 812xxxxxx';

/** Comedy and football share one form, racing and TT another. The tagline is the brand's, if it has one. */
export function textsOf(form: FormName): FormTexts {
  const { name, copy } = brand();
  switch (form) {
    case 'welcome':
      return {
        eyebrow: 'Welcome To',
        heading: name,
        tagline: copy.tagline ?? 'Watch unlimited! funny videos',
        label: 'Your phone number',
        placeholder: EXAMPLE,
        digitsOnly: false,
      };
    case 'meme':
      return {
        heading: copy.tagline ?? 'Sign in to MEMEWORLD!',
        label: 'Your phone number',
        placeholder: EXAMPLE,
        digitsOnly: true,
      };
    case 'vod':
      return {
        eyebrow: name,
        heading: copy.tagline ?? 'Watch unlimited videos',
        label: 'ENTER YOUR NUMBER AND JOIN',
        placeholder: EXAMPLE,
        digitsOnly: false,
      };
  }
}
