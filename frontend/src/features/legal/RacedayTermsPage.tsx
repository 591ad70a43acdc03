import { brand } from '../../brand';
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
  SINCE,
  whoMayUse,
} from './sections';

export default function RacedayTermsPage() {
  const site = brand();
  const text: LegalText = {
    title: 'Terms of the Racing Service',
    since: SINCE,
    sections: [
      noBetting(site.name),
      whoMayUse(site),
      price(site),
      joining(site),
      leaving(site),
      content(site),
      privacy(site),
      liability(site),
      changes(site),
      contact(site),
    ],
  };
  return <LegalDocument text={text} />;
}

const noBetting = (name: string): Section => ({
  heading: 'Racing to watch, not to bet on',
  paragraphs: [
    `${name} shows horse racing: races, previews and stories from the stables. It takes no bets, is no bookmaker, and is not connected with one.`,
    'Opinions about horses, riders and odds are entertainment and no advice. Races are shown after they were run, so nothing here tells you how a coming race will end.',
    'If betting has stopped being fun for you or someone close, the National Responsible Gambling Programme helps free of charge on 0800 006 008.',
  ],
});
