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

/** The terms of the TV service. The privacy policy comes first, because the footer's link names it. */
export default function TtTermsPage() {
  const site = brand();
  const text: LegalText = {
    title: 'Privacy Policy and Terms',
    since: SINCE,
    sections: [
      privacy(site),
      cookies(site.name),
      whoMayUse(site),
      price(site),
      joining(site),
      leaving(site),
      content(site),
      liability(site),
      changes(site),
      contact(site),
    ],
  };
  return <LegalDocument text={text} />;
}

const cookies = (name: string): Section => ({
  heading: 'Cookies and storage in your browser',
  paragraphs: [
    `${name} sets two cookies. One comes when you ask to join, to leave or to confirm your number, and lets us know your browser again when your network has answered; it lasts five days. The other comes when your network has confirmed your number, and keeps you signed in. Both are for this site alone and cannot be read by other sites or by scripts.`,
    'Your browser also remembers for the open tab which number you came with, and on this phone where you left a video and which quality and captions you chose. It keeps pages and pictures, so that the site opens without a connection. We use no advertising cookies and no trackers of other companies.',
    'If you delete the cookies, your subscription goes on, but you will be asked to confirm your number again before you can watch.',
  ],
});
