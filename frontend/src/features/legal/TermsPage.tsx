import { brand } from '../../brand';
import { LegalDocument } from './LegalDocument';
import {
  changes,
  contact,
  joining,
  type LegalText,
  leaving,
  liability,
  price,
  privacy,
  type Section,
  SINCE,
  whoMayUse,
} from './sections';

/** Meme World's terms, also used by every brand without its own. */
export default function TermsPage() {
  const site = brand();
  const text: LegalText = {
    title: 'Terms and Conditions',
    since: SINCE,
    sections: [
      about(site.name),
      whoMayUse(site),
      price(site),
      joining(site),
      leaving(site),
      sharing(site.name),
      privacy(site),
      liability(site),
      changes(site),
      contact(site),
    ],
  };
  return <LegalDocument text={text} />;
}

const about = (name: string): Section => ({
  heading: 'What this is about',
  paragraphs: [
    `These terms apply between you and the operator of ${name} whenever you use this site or subscribe to it. By joining you accept them. Please read them first; they are short on purpose.`,
    `${name} is entertainment. What it shows is meant as humour and fun, and does not express our opinion about any person or group.`,
  ],
});

const sharing = (name: string): Section => ({
  heading: 'Using and sharing what you find',
  paragraphs: [
    `Pictures and videos on ${name} belong to us, to their makers or to those who license them to us. You may enjoy them and, for memes, share them with friends for personal use, without changing them so that they insult or mislead.`,
    'You may not sell them, use them in advertising, or collect them by automatic means.',
    'If you think that something here infringes your rights or harms you, tell us. We take it down while we look into it.',
  ],
});
