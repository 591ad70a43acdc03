/** The texts of the join forms. */

import { brand } from '../../brand';
import { t } from '../../messages';

/** The forms of addresses, and of kinds of brands at other addresses. */
const FORMS = {
  '/login': 'welcome',
  '/diskilogin': 'welcome',
  '/memelogin': 'meme',
  '/ttlogin': 'vod',
  '/racedaylogin': 'vod',
  comedy: 'welcome',
  diski: 'welcome',
  meme: 'meme',
  tt: 'vod',
} as const;

type FormTexts = {
  eyebrow?: string;
  heading: string;
  tagline?: string;
  label: string;
  placeholder: string;
  digitsOnly: boolean;
};

/** Comedy and football share one form, racing and TT another. The tagline is the brand's, if it has one. */
export function textsOf(path: string): FormTexts {
  const { name, copy, kind } = brand();
  switch (FORMS[path as keyof typeof FORMS] ?? FORMS[kind]) {
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
