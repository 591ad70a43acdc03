import type { PageOf } from '../../page';
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
  whoMayUse,
} from './sections';

const about: Section = ['about', 'about-agreement', 'about-humour'];
const sharing: Section = ['sharing', 'sharing-owners', 'sharing-not', 'sharing-take-down'];

const text: LegalText = {
  title: 'title',
  sections: [about, whoMayUse, price, joining, leaving, sharing, privacy, liability, changes, contact],
};

export const page: PageOf = () => ({ name: 'terms' });

/** Meme World's terms, also used by every brand without its own. */
export default function TermsPage() {
  return <LegalDocument text={text} />;
}
