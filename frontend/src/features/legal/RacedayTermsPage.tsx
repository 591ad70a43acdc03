import type { PageOf } from '../../page';
import { LegalDocument } from './LegalDocument';
import {
  changes,
  contact,
  content,
  joining,
  type LegalText,
  leaving,
  liability,
  price,
  privacy,
  type Section,
  whoMayUse,
} from './sections';

const noBetting: Section = ['betting', 'betting-none', 'betting-opinions', 'betting-help'];

const text: LegalText = {
  title: 'title-racing',
  sections: [noBetting, whoMayUse, price, joining, leaving, content, privacy, liability, changes, contact],
};

export const page: PageOf = () => ({ name: 'raceday-terms' });

export default function RacedayTermsPage() {
  return <LegalDocument text={text} />;
}
