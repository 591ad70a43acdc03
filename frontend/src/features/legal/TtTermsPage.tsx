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

const cookies: Section = ['cookies', 'cookies-two', 'cookies-storage', 'cookies-deleted'];

const text: LegalText = {
  title: 'title-vod',
  sections: [privacy, cookies, whoMayUse, price, joining, leaving, content, liability, changes, contact],
};

export const page: PageOf = () => ({ name: 'tt-terms' });

/** The terms of the TV service. The privacy policy comes first, because the footer's link names it. */
export default function TtTermsPage() {
  return <LegalDocument text={text} />;
}
