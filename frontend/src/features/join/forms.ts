/** The texts of the join forms. */

import { brand } from '../../brand';
import { t } from '../../messages';

export type FormName = 'welcome' | 'meme' | 'vod';

type FormTexts = {
  eyebrow?: string;
  heading: string;
  tagline?: string;
  label: string;
  placeholder: string;
  digitsOnly: boolean;
};

/** Comedy and football share one form, racing and TT another. The tagline is the brand's, if it has one. */
export function textsOf(form: FormName): FormTexts {
  const { name, copy } = brand();
  switch (form) {
    case 'welcome':
      return {
        eyebrow: t('welcome'),
        heading: name,
        tagline: copy.tagline ?? t('tagline-videos'),
        label: t('your-number'),
        placeholder: t('enter-number'),
        digitsOnly: false,
      };
    case 'meme':
      return {
        heading: copy.tagline ?? t('tagline-memes'),
        label: t('your-number'),
        placeholder: t('enter-number'),
        digitsOnly: true,
      };
    case 'vod':
      return {
        eyebrow: name,
        heading: copy.tagline ?? t('tagline-vod'),
        label: t('enter-number-and-join'),
        placeholder: t('enter-number'),
        digitsOnly: false,
      };
  }
}
