/** The sections of the terms: of each, the ids of its heading and its paragraphs in languages/*.toml. */
import type { TermsId } from '../../message-types';

type Section = [heading: TermsId, ...paragraphs: TermsId[]];
type LegalText = { title: TermsId; sections: Section[] };

/** The version's date, stored with each consent: `TERMS_VERSION` in crates/subscription. Change both together. */
export const SINCE = '2026-11-29';

const whoMayUse: Section = ['who', 'who-age', 'who-country', 'who-account'];
const price: Section = ['price', 'price-day', 'price-once', 'price-paused', 'price-data'];

const LONGER = {
  'price-once': 'price-once-longer',
  'leaving-at-once': 'leaving-at-once-longer',
  'leaving-again': 'leaving-again-longer',
} as const;
/** What stands in place of a paragraph where the brand's own price is for a week or a month. */
export const PERIODS: Record<string, Partial<Record<TermsId, TermsId>>> = {
  week: { 'price-day': 'price-week', ...LONGER },
  month: { 'price-day': 'price-month', ...LONGER },
};

const joining: Section = ['joining', 'joining-confirm', 'joining-sms', 'joining-record'];
const leaving: Section = ['leaving', 'leaving-ways', 'leaving-at-once', 'leaving-again'];
const liability: Section = [
  'liability',
  'liability-available',
  'liability-limit',
  'liability-indirect',
  'liability-rights',
];
const content: Section = ['content', 'content-yours', 'content-not'];
const privacy: Section = ['privacy', 'privacy-popia', 'privacy-kept', 'privacy-shared', 'privacy-rights'];
const changes: Section = ['changes', 'changes-sms', 'changes-law'];
const contact: Section = ['contact', 'contact-ways', 'contact-waspa'];
const about: Section = ['about', 'about-agreement', 'about-humour'];
const sharing: Section = ['sharing', 'sharing-owners', 'sharing-not', 'sharing-take-down'];
const cookies: Section = ['cookies', 'cookies-two', 'cookies-storage', 'cookies-saved', 'cookies-deleted'];
const noBetting: Section = ['betting', 'betting-none', 'betting-opinions', 'betting-help'];
const ending = [liability, changes, contact];

/** Meme World's, also used by every brand without its own. */
const TERMS: LegalText = {
  title: 'title',
  sections: [about, whoMayUse, price, joining, leaving, sharing, privacy, ...ending],
};

const OWN: Record<string, LegalText> = {
  // The privacy policy comes first, because the footer's link names it.
  '/ttbhaTerms': {
    title: 'title-vod',
    sections: [privacy, cookies, whoMayUse, price, joining, leaving, content, ...ending],
  },
  '/raceday-terms': {
    title: 'title-racing',
    sections: [noBetting, whoMayUse, price, joining, leaving, content, privacy, ...ending],
  },
};

/** The text at an address. */
export const textAt = (path: string): LegalText => OWN[path] ?? TERMS;
